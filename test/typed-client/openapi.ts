/**
 * The HTTP surface as types, made from openapi.yaml: `npx vitest run test/contracts/openapi-types.test.ts -u` writes it
 * anew. Longer than 300 lines because openapi.yaml is.
 */
export interface paths {
  '/vault/': {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description With the operator's key: the agent whose call this is, with its rights and no others. Needed where the server has a
         *     policy. With an agent's own key it may be left out, and names nobody else.
         */
        'X-Vault-Agent'?: components['parameters']['Agent'];
      };
      path?: never;
      cookie?: never;
    };
    /** List the vault's root */
    get: operations['listVault'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/vault/{path}': {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description With the operator's key: the agent whose call this is, with its rights and no others. Needed where the server has a
         *     policy. With an agent's own key it may be left out, and names nobody else.
         */
        'X-Vault-Agent'?: components['parameters']['Agent'];
      };
      path: {
        /**
         * @description Path of a note, document, attachment or folder; a folder also with a trailing slash. `/` between its parts is
         *     sent as it is, each part percent-encoded by itself.
         * @example Garden/Pear tree.md
         */
        path: string;
      };
      cookie?: never;
    };
    /**
     * Read a note, a document's text, a file's bytes, or a folder's listing
     * @description A note is answered as markdown or as JSON, a document as its extracted text, a folder as its listing, an
     *     attachment as its bytes. A document whose text is still being extracted is answered with 503 `not_ready`, one
     *     that has none to give with 400 `extraction_failed` or `document_too_large`, one in which no text was found with
     *     an empty text; its JSON says so in `extraction` and `detail` instead. `section` reads one heading or `^block` of a
     *     note, or one page of a document, `map` the outline of a note, `raw` the bytes of any file with their type; only
     *     bytes honour `Range`. The three exclude each other.
     */
    get: operations['readPath'];
    /**
     * Create a note, or replace one whole
     * @description The body is the note's whole text in UTF-8, frontmatter included. `If-None-Match: *` makes a new note only. The
     *     timestamp key of its frontmatter is set, whatever the text says. A path that ends in the suffix of a document
     *     files one: see `PUT /vault/{document}.pdf`.
     */
    put: operations['writeNote'];
    /**
     * Add text to the end of a note, making it when it is not there
     * @description One blank line is kept between what is there and what is added; items go on with the list the note ends in,
     *     rows with the table.
     */
    post: operations['appendToNote'];
    /**
     * Remove a note, document or attachment
     * @description It goes to the trash (`.trash/` in the vault) unless `permanent` is asked for or `vault.trash` is off. Links to it
     *     stay; the answer names the notes that have one. Folders go by `DELETE /folder/{path}`.
     */
    delete: operations['deleteEntry'];
    options?: never;
    head?: never;
    /**
     * Change one part of a note
     * @description What to change is said in one of two ways. **Headers**: any of `Target`, `Target-Type` and `Operation` means this
     *     one; the body is then the new text, or JSON for a frontmatter value and for `Target-Type: text`. **JSON**: without
     *     those headers the body says all of it, so that nothing needs encoding for a header. Both are the Obsidian
     *     plugin's; what it can do and this server cannot (`within`, `destination`, `rejectIfContentPreexists`) is refused.
     *
     *     Everything outside the part stays as it is, byte for byte; only the timestamp key is set. A target that is not
     *     there, or could be several, is refused with what there is.
     */
    patch: operations['patchNote'];
    trace?: never;
  };
  '/move': {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description With the operator's key: the agent whose call this is, with its rights and no others. Needed where the server has a
         *     policy. With an agent's own key it may be left out, and names nobody else.
         */
        'X-Vault-Agent'?: components['parameters']['Agent'];
      };
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Move a note, document, attachment or folder, links included
     * @description Every link that would break follows, in notes and in `.canvas` files; what cannot follow stands in `left`. Nothing
     *     is replaced, and missing folders are made. The options of the query may stand in the body instead; both given and
     *     different is refused.
     */
    post: operations['moveEntry'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/vault/{document}.pdf': {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description With the operator's key: the agent whose call this is, with its rights and no others. Needed where the server has a
         *     policy. With an agent's own key it may be left out, and names nobody else.
         */
        'X-Vault-Agent'?: components['parameters']['Agent'];
      };
      path: {
        /**
         * @description Path of a document up to its suffix; any of `vault.doc_suffixes` will do, in any case. Its folder is named
         *     `Files` (`vault.doc_files_dir`).
         * @example Household/Files/lease
         */
        document: string;
      };
      cookie?: never;
    };
    get?: never;
    /**
     * File a document
     * @description The body is the document itself, whatever its content type says; it is written as it comes, and stands in the
     *     vault before anything reads it. It goes directly into a folder named `Files`, which is made with its parents.
     *     The same bytes again are `unchanged`; other bytes under a name that is taken are `already_exists` unless
     *     `overwrite` is asked for, and then the old ones are gone, as with a note that is replaced.
     *
     *     Its text is extracted afterwards, and waited for: see `wait`. An answer with `extraction: pending` or `failed`
     *     is still one of success, the document being stored.
     *
     *     Refused is in this order: size, no bytes, path, suffix, folder, what is there.
     */
    put: operations['fileDocument'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/folder/{path}': {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description With the operator's key: the agent whose call this is, with its rights and no others. Needed where the server has a
         *     policy. With an agent's own key it may be left out, and names nobody else.
         */
        'X-Vault-Agent'?: components['parameters']['Agent'];
      };
      path: {
        /**
         * @description Path of a folder, with or without a trailing slash; not the vault's root.
         * @example Garden/Beds
         */
        path: string;
      };
      cookie?: never;
    };
    get?: never;
    /**
     * Make a folder and the parents it lacks
     * @description That it is there already is success; a file in its place is not.
     */
    put: operations['createFolder'];
    post?: never;
    /**
     * Remove a folder
     * @description One that holds something only with `recursive`, and then as a whole: a hidden entry or a symbolic link inside
     *     refuses all of it. It goes to the trash unless `permanent` is asked for or `vault.trash` is off.
     */
    delete: operations['deleteFolder'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/search': {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description With the operator's key: the agent whose call this is, with its rights and no others. Needed where the server has a
         *     policy. With an agent's own key it may be left out, and names nobody else.
         */
        'X-Vault-Agent'?: components['parameters']['Agent'];
      };
      path?: never;
      cookie?: never;
    };
    /** Find passages by words and by meaning */
    get: operations['search'];
    put?: never;
    /** Find passages by words and by meaning, asked in JSON */
    post: operations['searchByJson'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/search/simple/': {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description With the operator's key: the agent whose call this is, with its rights and no others. Needed where the server has a
         *     policy. With an agent's own key it may be left out, and names nobody else.
         */
        'X-Vault-Agent'?: components['parameters']['Agent'];
      };
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * The Obsidian plugin's plain search
     * @description For flows written against that plugin. Finds the text as it stands, case-insensitive, in notes.
     */
    post: operations['simpleSearch'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/links': {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description With the operator's key: the agent whose call this is, with its rights and no others. Needed where the server has a
         *     policy. With an agent's own key it may be left out, and names nobody else.
         */
        'X-Vault-Agent'?: components['parameters']['Agent'];
      };
      path?: never;
      cookie?: never;
    };
    /**
     * What links to what
     * @description With `path`: what a note or other file links to, which files link to it, its broken and ambiguous links, and the
     *     notes and documents near it. Without: the broken and ambiguous links of the whole vault, and its orphans.
     *     A link means what Obsidian takes it for; where several files would do, it is ambiguous, `to` is the one that
     *     Obsidian opens, and it counts as a link to that one. Links in frontmatter and canvases count, links in code do not.
     *     A markdown link that stands at neither path, from its note's folder nor from the vault's root, is looked for by name,
     *     as Obsidian does. A name in `aliases` is no name of a file: a link by it is broken, there as here.
     *     Notes in folders that `index.exclude_dirs` names link like all others, but what is wrong with their own links, and
     *     whether they stand alone, is not listed. What leads to or from files that `index.ignore` names is not.
     *     Each list holds at most `limit` entries; `cursor` goes on with all of them.
     */
    get: operations['findLinks'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/frontmatter': {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description With the operator's key: the agent whose call this is, with its rights and no others. Needed where the server has a
         *     policy. With an agent's own key it may be left out, and names nobody else.
         */
        'X-Vault-Agent'?: components['parameters']['Agent'];
      };
      path?: never;
      cookie?: never;
    };
    /**
     * Notes by a value of their frontmatter
     * @description Asks the files, not the index, so an edit is seen at once; also where the index or the search does not look
     *     (`exclude_dirs`), but not files that `index.ignore` names. A key is compared as it is written; `a.b` is the key of
     *     that name, else `b` in the mapping `a` or in one of the mappings of the list `a`. Text and dates are equal when they
     *     are written alike, numbers when they are the same number, booleans are `true` or `false`, a key without a value is
     *     the empty text; a list matches by any of its members, a mapping by none. The index page that the server generates is no
     *     note, and in no answer about notes.
     */
    get: operations['findByFrontmatter'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/expiries': {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description With the operator's key: the agent whose call this is, with its rights and no others. Needed where the server has a
         *     policy. With an agent's own key it may be left out, and names nobody else.
         */
        'X-Vault-Agent'?: components['parameters']['Agent'];
      };
      path?: never;
      cookie?: never;
    };
    /**
     * What runs out, and when
     * @description By the notes' frontmatter: `expires`, a list of `{date, what}`, or `none` with an `expires_reason`. A single mapping,
     *     a bare date and a list of dates are taken too. A date is a day, `YYYY-MM-DD`; a time of day without an offset stands
     *     for its day, one with an offset for the day it falls on in `time_zone`. A date lapses at the end of its day there.
     *     Asks the files, as `GET /frontmatter` does.
     */
    get: operations['listExpiries'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/callouts': {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description With the operator's key: the agent whose call this is, with its rights and no others. Needed where the server has a
         *     policy. With an agent's own key it may be left out, and names nobody else.
         */
        'X-Vault-Agent'?: components['parameters']['Agent'];
      };
      path?: never;
      cookie?: never;
    };
    /**
     * The callouts of all notes
     * @description Every quote whose first line is `[!type]`, with its title, its body and how bad what it announces is: `error` for
     *     danger, error, bug, failure, fail and missing, `warning` for warning, caution and attention, else `info`. Callouts
     *     within callouts count, those in code, in comments and within an ordinary quote do not. Asks the files, as
     *     `GET /frontmatter` does. Where the vault has a script `.scripts/extract_callouts.py` and scripts are run
     *     (`maintenance.scripts`), the list is what that prints; nothing of the request reaches it. Where that does not answer, or
     *     with another shape, the list is the built-in one, and `script` says why.
     */
    get: operations['listCallouts'];
    put?: never;
    /** The same question as JSON */
    post: operations['listCalloutsByJson'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/maintenance': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Makes every check of the vault
     * @description The checks of the program, and the vault's own scripts where they are run (`maintenance.scripts`): those in `.scripts`
     *     that say that they check (docs/checks.md). 200 however much is found; a check that cannot be made says why. Scripts
     *     run one after the other, each for two minutes at the most and all for ten, and whoever asks while they run shares
     *     that run; it ends when the last of those has hung up. Nothing of a request reaches them.
     */
    get: operations['runMaintenance'];
    put?: never;
    /**
     * The same, for who would rather not GET what runs programs
     * @description Takes no body, or an empty object.
     */
    post: operations['runMaintenanceByPost'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/maintenance/checks': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Which checks there are
     * @description Makes none. The scripts of the vault are asked what they are, where they are run at all.
     */
    get: operations['describeChecks'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/memory/propose': {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description With the operator's key: the agent whose call this is, with its rights and no others. Needed where the server has a
         *     policy. With an agent's own key it may be left out, and names nobody else.
         */
        'X-Vault-Agent'?: components['parameters']['Agent'];
      };
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Have something remembered
     * @description One subject goes through the write gate. Where no note says something similar it becomes a note in `namespace` at once.
     *     Otherwise those notes are answered with a token (`decide`), and nothing is written yet: send the same again within 30
     *     minutes, with the `token` and a `decision`. Where a chat model decides (`gate.model`) every call ends with `done`. What is
     *     proposed is kept from the moment it came: in a note, in the discard log, or until somebody decides. `Idempotency-Key` is
     *     the field `idempotency_key`: a call that is sent again under it answers as at first. A dry run records nothing, and shows
     *     with a `decision` what it would come to. See docs/memory.md.
     */
    post: operations['propose'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/memory/discards': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * What was discarded, newest first
     * @description For the operator. What was proposed and is in no note, and text that a write took the place of, as it stands in
     *     `.discarded.log` in the vault ([docs/memory.md](docs/memory.md)). Titles and reasons are text that others sent.
     */
    get: operations['listDiscards'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/memory/discards/{n}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * One discard whole
     * @description For the operator. The text, what its decider saw and said. All of it is text that others sent: data, never
     *     instructions.
     */
    get: operations['showDiscard'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/memory/discards/{n}/restore': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Have a discard proposed again
     * @description For the operator. It goes through the write gate as it was proposed; text that a write took the place of goes with
     *     what its frontmatter said. Where notes say something similar by now they are answered with a token (`decide`): send
     *     that with a decision. What became a note is marked; the entry stays in the log.
     */
    post: operations['restoreDiscard'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/memory/consolidate': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Find notes that say nearly the same, and make each group one note
     * @description For the operator. Groups the notes of each folder whose vectors are all within `ceiling` of one another
     *     ([docs/memory.md](docs/memory.md#consolidation)). Without `write` nothing is changed: the clusters are shown, and, with
     *     a chat model, what the first `cap` of them would become. With it each merge becomes a new note, and the notes that it is
     *     made of lead to it and stay where they are. What could not be done for one cluster is told (`errors`, `unmarked`) and
     *     keeps no other from being done. With a chat model it may take minutes, and goes on when the caller has left.
     */
    post: operations['consolidate'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/wiki/append': {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description With the operator's key: the agent whose call this is, with its rights and no others. Needed where the server has a
         *     policy. With an agent's own key it may be left out, and names nobody else.
         */
        'X-Vault-Agent'?: components['parameters']['Agent'];
      };
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Put one fact on a wiki page
     * @description The fact becomes one bullet, with links and the day, at the end of the section `Updates` of the page below `wiki.dir` that
     *     the slug names, whatever way a person spelled it. Nothing is written where no page is called so but some are like it
     *     (`candidates`), where a bullet says it already (`same`), and where it says more than a bullet or may correct it
     *     (`refines`): what to send then is said in the answer's fields. In a git work tree the page is committed, alone, and what a person had changed in it
     *     is committed before, as theirs. See docs/wiki.md.
     */
    post: operations['wikiAppend'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/wiki/ingest': {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description With the operator's key: the agent whose call this is, with its rights and no others. Needed where the server has a
         *     policy. With an agent's own key it may be left out, and names nobody else.
         */
        'X-Vault-Agent'?: components['parameters']['Agent'];
      };
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Keep raw material for the wiki
     * @description A text under a file name, or what a URL leads to, goes as it is into the folder `raw` below `wiki.dir`, which search
     *     leaves out. With `content` a URL only names it; without, it is fetched: from the public internet alone, every redirect
     *     judged anew, within 30 seconds, at most 10 MiB, answered 200 in plain bytes. The name is made of letters a to z, digits,
     *     `.`, `_` and `-`. The same bytes under the same name are `unchanged`; other bytes get a number, and nothing is replaced.
     *     In a git work tree it is committed, alone. At most two URLs are fetched at once: who waits longer than half a
     *     minute for a turn is answered `locked`. A dry run fetches nothing (`would_fetch`).
     */
    post: operations['wikiIngest'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/mcp': {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description With the operator's key: the agent whose call this is, with its rights and no others. Needed where the server has a
         *     policy. With an agent's own key it may be left out, and names nobody else.
         */
        'X-Vault-Agent'?: components['parameters']['Agent'];
      };
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * The Model Context Protocol, streamable HTTP
     * @description Stateless, for the 2026-07-28 revision of the protocol and those of 2025 alike. Requests and answers are
     *     JSON-RPC as the protocol describes them; errors of the protocol keep its form, those of authentication and
     *     routing are `{code, error}`.
     */
    post: operations['mcp'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/mcp/only/{path}': {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description With the operator's key: the agent whose call this is, with its rights and no others. Needed where the server has a
         *     policy. With an agent's own key it may be left out, and names nobody else.
         */
        'X-Vault-Agent'?: components['parameters']['Agent'];
      };
      path: {
        /**
         * @description Path of the note or folder that may be changed.
         * @example Garden
         */
        path: string;
      };
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * The same, with writes confined to one note or folder
     * @description Every tool and every read is as at `/mcp`. A write elsewhere is answered with `out_of_scope`, a move always. The
     *     note or folder has to be there: what names nothing is `not_found`. Each request stands by itself: nothing of it
     *     outlives the answer.
     */
    post: operations['mcpOnly'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/healthz': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Whether the process answers; depends on nothing */
    get: operations['health'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/readyz': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Whether what is served is whole
     * @description 200 if and only if the index, its page and the watcher are well. The body is the same on 503.
     */
    get: operations['readiness'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/metrics': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Figures for Prometheus
     * @description Also opened by `server.metrics_key`, which opens nothing else.
     */
    get: operations['metrics'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/reindex': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Reconcile the index with every file, or build it anew */
    post: operations['reindex'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    Error: {
      /** @enum {string} */
      code:
        | 'not_found'
        | 'already_exists'
        | 'not_empty'
        | 'invalid_path'
        | 'out_of_scope'
        | 'unsupported_suffix'
        | 'is_directory'
        | 'not_a_directory'
        | 'is_document'
        | 'kind_change'
        | 'no_such_heading'
        | 'ambiguous_heading'
        | 'no_such_block'
        | 'no_such_text'
        | 'ambiguous_text'
        | 'no_frontmatter'
        | 'invalid_value'
        | 'unreadable'
        | 'empty_document'
        | 'wrong_parent_folder'
        | 'extraction_failed'
        | 'document_too_large'
        | 'note_too_large'
        | 'invalid_request'
        | 'unauthorized'
        | 'forbidden'
        | 'method_not_allowed'
        | 'locked'
        | 'precondition_failed'
        | 'range_not_satisfiable'
        | 'internal_error'
        | 'not_ready'
        | 'insufficient_storage';
      /** @description Prose that names the next step */
      error: string;
    };
    RpcError: {
      /** @constant */
      jsonrpc: '2.0';
      id?: string | number | null;
      error: {
        code: number;
        message: string;
      };
    };
    /**
     * @description Present without a value, or `true`/`1`; `false`/`0` is the same as absent.
     * @enum {unknown}
     */
    Flag: '' | 'true' | 'false' | '1' | '0';
    /** @enum {unknown} */
    FileKind: 'note' | 'document';
    Stat: {
      /** @description When the file was made, milliseconds since 1970 */
      ctime: number;
      /** @description When it was last changed, milliseconds since 1970 */
      mtime: number;
      /** @description Bytes */
      size: number;
    };
    /** @description Hash of the file's bytes */
    Etag: string;
    /**
     * @description How a document's text was had: from its text layer, or by OCR. `needs_ocr`: a scan that was not recognised.
     *     `no_text`: nothing to read in it. `failed`: it could not be read. `pending`: still to come.
     * @enum {unknown}
     */
    ExtractionState: 'extracted' | 'ocr' | 'needs_ocr' | 'no_text' | 'failed' | 'pending';
    /** @description Pages of the document; null while that is not known, and when it could not be opened */
    PageCount: number | null;
    /** @description Whether it holds text of its own, and not only pictures of it; null where `pages` is */
    HasTextLayer: boolean | null;
    DocumentFiled: {
      /** @description In the spelling on disk */
      path: string;
      sha256: components['schemas']['Etag'];
      /** @description Bytes that came */
      size: number;
      /**
       * @description `unchanged`: these very bytes stood there already. In a dry run what it would be.
       * @enum {unknown}
       */
      status: 'filed' | 'unchanged' | 'replaced';
      /**
       * @description The document's version after this call, for the next one's `If-Match`. In a dry run the one that is there,
       *     null when there is none.
       */
      etag: string | null;
      folders_made: components['schemas']['FoldersMade'];
      /** @description Only with `replaced` */
      linked_from?: components['schemas']['LinkedFrom'];
      links_unseen?: components['schemas']['LinkedFromUnseen'];
      degraded?: components['schemas']['LinkedFromDegraded'];
      left_out?: components['schemas']['LinksLeftOut'];
      extraction?: components['schemas']['ExtractionState'];
      pages?: components['schemas']['PageCount'];
      has_text_layer?: components['schemas']['HasTextLayer'];
      /** @description Characters of text that search knows */
      extracted_chars?: number;
      /** @description What to know or do about its text, such as why it is pending */
      detail?: string | null;
      indexed?: components['schemas']['IndexedState'];
      /**
       * @description Nothing was changed; what is known of its text is left out
       * @constant
       */
      dry_run?: true;
    };
    Note: {
      path: string;
      /** @constant */
      kind: 'note';
      /** @description The file, byte for byte; with `section`, that section */
      content: string;
      /** @description The text without frontmatter */
      body: string;
      frontmatter: Record<string, never>;
      /** @description Why the frontmatter could not be used */
      frontmatter_error?: string;
      /** @description From frontmatter and text, without `#`, nested ones kept */
      tags: string[];
      stat: components['schemas']['Stat'];
      etag: components['schemas']['Etag'];
      /** @description The section asked for */
      section?: string;
      superseded_by?: components['schemas']['SupersededBy'];
      /**
       * @description The file is not valid UTF-8: some characters stand for bytes that could not be read
       * @constant
       */
      lossy?: true;
    };
    Document: {
      path: string;
      /** @constant */
      kind: 'document';
      extraction: components['schemas']['ExtractionState'];
      /** @description Why there is no text, or what to know of it */
      detail?: string;
      pages: components['schemas']['PageCount'];
      has_text_layer: components['schemas']['HasTextLayer'];
      /** @description The page asked for */
      section?: string;
      extracted_chars: number;
      stat: components['schemas']['Stat'];
      etag: components['schemas']['Etag'];
      /** @description The extracted text; empty while there is none */
      content: string;
    };
    NoteMap: {
      path: string;
      /** @constant */
      kind: 'note';
      frontmatter: Record<string, never>;
      frontmatter_error?: string;
      /** @description Why headings and blocks may be missing, and none of them can be used as a target */
      outline_error?: string;
      headings: {
        depth: number;
        text: string;
        /** @description Names this heading and no other; what `section` takes */
        target: string;
        line: number;
      }[];
      /** @description Block targets, as `^id` */
      blocks: string[];
      superseded_by?: components['schemas']['SupersededBy'];
      etag: components['schemas']['Etag'];
    };
    /**
     * @description Only of a note that says it was superseded: the note that holds now, at the end of the chain; null where the chain leads
     *     to none, with the reason. `not_readable`: to none that this caller may read.
     */
    SupersededBy: {
      head: string | null;
      /** @enum {unknown} */
      problem?: 'dangling' | 'ambiguous' | 'self' | 'cycle' | 'too_long' | 'not_readable';
    };
    DocumentMap: {
      path: string;
      /** @constant */
      kind: 'document';
      extraction: components['schemas']['ExtractionState'];
      detail?: string;
      pages: components['schemas']['PageCount'];
      has_text_layer: components['schemas']['HasTextLayer'];
      extracted_chars: number;
      stat: components['schemas']['Stat'];
      etag: components['schemas']['Etag'];
    };
    Listing: {
      /** @description The folder; empty for the vault's root */
      path: string;
      entries: {
        name: string;
        path: string;
        /** @enum {unknown} */
        type: 'note' | 'document' | 'attachment' | 'folder';
        /** @description Bytes */
        size: number;
        /** Format: date-time */
        modified: string;
        /**
         * @description A folder whose content, or some of it, could not be looked at and is not listed
         * @constant
         */
        unreadable?: true;
      }[];
      /** @description The same as names relative to the folder, as the Obsidian plugin lists them; folders end in `/` */
      files: string[];
      total: number;
      /** @description Always null here; only MCP pages */
      next_cursor: string | null;
    };
    /** @enum {unknown} */
    WaitFor: 'indexed';
    /** @default 5 */
    WaitSeconds: number;
    /**
     * @description What search knows of the change: `queued`, it is about to; `indexed`, it does; `excluded`, it never looks there;
     *     `deferred`, the indexer could not be told and will notice by itself.
     * @enum {unknown}
     */
    IndexedState: 'queued' | 'deferred' | 'excluded' | 'indexed';
    /** @enum {unknown} */
    FileOrFolder: 'note' | 'document' | 'attachment' | 'folder';
    /** @description Notes and canvases that link to what is gone or replaced; null when the index cannot say just now */
    LinkedFrom: string[] | null;
    /**
     * @description Only beside `linked_from` and for an agent that may read a part of the vault, and then always: files that it may not see
     *     may link there too, and a link by a bare name may mean one of them
     * @constant
     */
    LinkedFromUnseen: true;
    /** @description Only when `linked_from` may lack some, since folders or files could not be read (`left_out`) */
    LinkedFromDegraded: 'partly_unread'[];
    /** @description Folders made for it, or in a dry run to be made, outermost first */
    FoldersMade: string[];
    NoteWriteFacts: {
      /** @description In the spelling on disk */
      path: string;
      /**
       * @description The note's version after this call, for the next one's `If-Match`. In a dry run the one it was computed from,
       *     null when there is no note.
       */
      etag: string | null;
      /** @description Whether this call made the note */
      created: boolean;
      /** @description False when it held all of that already */
      changed: boolean;
      folders_made: components['schemas']['FoldersMade'];
      timestamp: {
        /** @description Whether the frontmatter's timestamp key was set */
        bumped: boolean;
        /** @description Why not */
        reason?: string;
      };
      indexed?: components['schemas']['IndexedState'];
      /**
       * @description Nothing was changed
       * @constant
       */
      dry_run?: true;
      /** @description Only in a dry run: what would change, as a unified diff */
      diff?: string;
    };
    NoteWritten: components['schemas']['NoteWriteFacts'];
    /** @description After a patch of a heading, a block or the body */
    NotePatched: {
      /** @description Subsections that went with the part, as targets; of a list item, the first lines of the items below it */
      removed_subsections: string[];
      /** @description Headings made because they were missing, as targets */
      created_headings: string[];
    } & components['schemas']['NoteWriteFacts'];
    /**
     * @default replace
     * @enum {unknown}
     */
    PatchOperation: 'replace' | 'append' | 'prepend' | 'delete';
    /**
     * @description For a heading: `content` is all below its line, `own` that up to its first subsection, `marker` its line alone
     *     (to be replaced only), `markerAndContent` both.
     * @default content
     * @enum {unknown}
     */
    PatchScope: 'content' | 'own' | 'marker' | 'markerAndContent';
    PatchRequest: {
      /**
       * @description Left out, a block for a `^id` and else a heading
       * @enum {unknown}
       */
      targetType?: 'heading' | 'block' | 'frontmatter' | 'body' | 'text';
      /**
       * @description A heading as one text or as a list from outermost to innermost; a block's `^id`; a frontmatter key. Null or
       *     an empty list is the whole note below its frontmatter.
       */
      target?: string | string[] | null;
      /** @default :: */
      targetDelimiter?: string;
      /**
       * @description Needed, but for text, which is replaced
       * @enum {unknown}
       */
      operation?: 'replace' | 'append' | 'prepend' | 'delete';
      scope?: components['schemas']['PatchScope'];
      /** @description The text; none for delete */
      content?: string;
      /**
       * @description The value of a frontmatter key (a whole number beyond 2^53 goes as text, in quotes); for text, what to find
       *     and replace (a TextReplacement)
       */
      value?: unknown;
      /** @description The same as the header If-Match */
      ifMatch?: string;
      /** @default false */
      createTargetIfMissing?: boolean;
      /**
       * @description The plugin's; true is refused
       * @constant
       */
      rejectIfContentPreexists?: false;
      /** @default false */
      dryRun?: boolean;
    };
    TextReplacement: {
      /** @description The text, character for character */
      find: string;
      /** @description What to put in its place; empty to remove it */
      replace: string;
      /**
       * @description How often it must be there, counted from the left without overlaps (`aa` is once in `aaa`); all are replaced
       * @default 1
       */
      count?: number;
      /** @description Look in one section only (a heading or `^block`) */
      section?: string;
      /**
       * @description Look in the frontmatter too
       * @default false
       */
      include_frontmatter?: boolean;
      /** @description The same as the header If-Match */
      expected_etag?: string;
      /** @default false */
      dry_run?: boolean;
      wait?: components['schemas']['WaitFor'];
      timeout?: components['schemas']['WaitSeconds'];
    };
    /** @description Text, a number, true or false, a list or a mapping of those */
    FrontmatterValue: string | number | boolean | unknown[] | Record<string, never>;
    EntryDeleted: {
      /** @description In the spelling on disk */
      path: string;
      /** @enum {unknown} */
      kind: 'note' | 'document' | 'attachment';
      /** @description Null, since there is no version any more; in a dry run the one it was computed from, for a note */
      etag: string | null;
      /** @description Whether it is gone for good */
      permanent: boolean;
      /** @description Where it is now, from the vault's root; null when it is gone for good, and in a dry run */
      trashed: string | null;
      linked_from: components['schemas']['LinkedFrom'];
      links_unseen?: components['schemas']['LinkedFromUnseen'];
      degraded?: components['schemas']['LinkedFromDegraded'];
      left_out?: components['schemas']['LinksLeftOut'];
      indexed?: components['schemas']['IndexedState'];
      /**
       * @description Nothing was changed
       * @constant
       */
      dry_run?: true;
    };
    FolderCreated: {
      /** @description In the spelling on disk */
      path: string;
      /** @description False when it was there already */
      created: boolean;
      folders_made: components['schemas']['FoldersMade'];
      /**
       * @description Nothing was changed
       * @constant
       */
      dry_run?: true;
    };
    FolderDeleted: {
      /** @description In the spelling on disk */
      path: string;
      /** @description How many notes went with it */
      notes: number;
      documents: number;
      other_files: number;
      /** @description Folders below it */
      folders: number;
      /** @description Only when not all of it could be deleted for good; what is still there, where it is now, and why */
      left?: {
        path: string;
        reason: string;
      }[];
      /** @description Whether it is gone for good */
      permanent: boolean;
      /** @description Where it is now, from the vault's root; null when it is gone for good, and in a dry run */
      trashed: string | null;
      linked_from: components['schemas']['LinkedFrom'];
      links_unseen?: components['schemas']['LinkedFromUnseen'];
      degraded?: components['schemas']['LinkedFromDegraded'];
      left_out?: components['schemas']['LinksLeftOut'];
      indexed?: components['schemas']['IndexedState'];
      /**
       * @description Nothing was changed
       * @constant
       */
      dry_run?: true;
    };
    MoveRequest: {
      /** @description The note, document, attachment or folder to move */
      source: string;
      /** @description Its whole new path, the suffix included */
      destination: string;
      /**
       * @description Make links follow; false leaves them and answers how many break
       * @default true
       */
      update_links?: boolean;
      /** @description The same as the header If-Match */
      expected_etag?: string;
      /** @default false */
      dry_run?: boolean;
      wait?: components['schemas']['WaitFor'];
      timeout?: components['schemas']['WaitSeconds'];
    };
    WikiAppendRequest: {
      /** @description The page by its title, its slug or its path; it comes to letters a to z, digits and hyphens */
      slug: string;
      /** @description One fact in one sentence */
      content: string;
      /** @description Titles or slugs of pages to link behind it */
      links?: string[];
      /**
       * @description Make the page though pages are like it
       * @default false
       */
      create_new?: boolean;
      /**
       * @description What to do where it says more than a bullet that is there or may correct it; without it nothing is written
       * @enum {unknown}
       */
      on_refine?: 'replace' | 'append';
      /** @default false */
      dry_run?: boolean;
      wait?: components['schemas']['WaitFor'];
      timeout?: components['schemas']['WaitSeconds'];
    };
    WikiAppended: {
      /**
       * @description `candidates`, `refines` and `same`: nothing was written
       * @enum {unknown}
       */
      status: 'added' | 'created' | 'replaced' | 'candidates' | 'refines' | 'same';
      /** @description What the name came to */
      slug: string;
      /** @description The page; absent with `candidates` */
      path?: string;
      /** @description Of the bullet */
      line?: number;
      /** @description As it stands on the page; of `refines` and `same`, the one that was there */
      bullet?: string;
      /** @description With `refines`: what was not written */
      fact?: string;
      /** @description Pages that may be meant, at most five, the most alike first */
      candidates?: {
        path: string;
        /** @description 1 is equal but for hyphens */
        score: number;
      }[];
      /** @description With `replaced`: the bullet that stood there */
      before?: string;
      /** @description The entry of the discard log that keeps it */
      discard?: number;
      committed?: components['schemas']['CommitOutcome'];
      etag?: components['schemas']['Etag'];
      indexed?: components['schemas']['IndexedState'];
      /** @description Passages of the wiki that may mean the same, at most five, the nearest first */
      similar: {
        path: string;
        line: number;
        /** @description Its beginning */
        text: string;
        /** @description Cosine distance */
        distance: number;
        /** @description Whether it stands on the page of the fact */
        on_page: boolean;
      }[];
      /** @description Why there may be more of them */
      degraded: ('embedder_unreachable' | 'vectors_pending' | 'index_building' | 'no_ceiling')[];
      /** @description What went wrong beside the write */
      remarks?: string[];
      /**
       * @description Nothing was changed
       * @constant
       */
      dry_run?: true;
      /** @description Only in a dry run: what would change */
      diff?: string;
    };
    /** @description Either `filename` with `content`, or `url` */
    WikiIngestRequest: {
      /** @description Name to keep `content` under */
      filename?: string;
      /** @description http or https; only names it where there is `content` */
      url?: string;
      /** @description The text */
      content?: string;
      /** @default false */
      dry_run?: boolean;
    };
    WikiIngested: {
      /**
       * @description `would_fetch`: a dry run of a URL, which fetches nothing; it has no `etag` and no `size`
       * @enum {unknown}
       */
      status: 'stored' | 'unchanged' | 'would_fetch';
      /** @description Of `would_fetch`, before the suffix, name or number that the source may need */
      path: string;
      etag?: components['schemas']['Etag'];
      /** @description In bytes */
      size?: number;
      folders_made: components['schemas']['FoldersMade'];
      committed?: components['schemas']['CommitOutcome'];
      /**
       * @description Nothing was changed
       * @constant
       */
      dry_run?: true;
    };
    /**
     * @description What became of the commit; absent where nothing was written. `off`: the vault is no git work tree, or nothing is to be
     *     committed. `pending`: git is still at it. A failure leaves what was written as it is.
     */
    CommitOutcome: {
      /** @enum {unknown} */
      state: 'committed' | 'off' | 'failed' | 'pending';
      /** @description Its hash */
      commit?: string;
      /** @description Why there is none */
      reason?: string;
    };
    Moved: {
      /** @description In the spelling on disk */
      source: string;
      /** @description In the spelling on disk */
      destination: string;
      kind: components['schemas']['FileOrFolder'];
      /** @description Of the moved note, after its own links followed; null for what is no note, unless one was expected */
      etag: string | null;
      links_updated: number;
      /** @description Files whose links changed; the moved note may be one of them */
      notes_updated: number;
      /** @description Links that lead elsewhere or nowhere now; with `update_links: false` only */
      links_broken?: number;
      /**
       * @description Only for an agent that may read a part of the vault, and then always: links in files that it may not see stay as they are
       * @constant
       */
      links_unseen?: true;
      /** @description Links that could not follow; for an agent that may read a part of the vault also those that may mean a hidden file, as `[[Plan]]` may */
      left: {
        /** @description Where the file is after the move */
        path: string;
        /** @description From 1; null when the file could not be looked at */
        line: number | null;
        reason: string;
      }[];
      folders_made: components['schemas']['FoldersMade'];
      indexed?: components['schemas']['IndexedState'];
      /**
       * @description Nothing was changed
       * @constant
       */
      dry_run?: true;
      /** @description Only in a dry run: each file whose links would change, as it is called now */
      notes?: {
        path: string;
        links: number;
      }[];
      /** @description Only in a dry run: what would change in them, as a unified diff */
      diff?: string;
    };
    SearchRequest: {
      /** @description Words */
      q: string;
      /** @description Results wanted */
      k?: number;
      /** @description Only this folder or note */
      prefix?: string;
      /** @description Only notes of this frontmatter type */
      type?: string;
      /** @description Only notes with this tag or one nested below it */
      tag?: string;
      kind?: components['schemas']['FileKind'];
      /** @default false */
      include_superseded?: boolean;
      /** @description Cosine distance that hits of meaning may have at most */
      distance_ceiling?: number;
      /** @description Rank that hits of words may have at most; lower is better */
      bm25_ceiling?: number;
      /**
       * @description Name the files that each result is linked with
       * @default false
       */
      expand_links?: boolean;
      /**
       * @description Say how each result came to its place
       * @default false
       */
      explain?: boolean;
    };
    SearchAnswer: {
      results: {
        path: string;
        title: string;
        /** @description Headings above the passage, outermost first, joined with " > " */
        breadcrumb: string;
        /** @description Of a document only: the page the passage stands on */
        page?: number;
        /** @description Where it starts, in the file or a document's text */
        line: number;
        text: string;
        kind: components['schemas']['FileKind'];
        /** @enum {unknown} */
        matched: 'both' | 'dense' | 'lexical';
        pinned: boolean;
        etag: string;
        /** @description The files that its file links to, and those that link to it; where `expand_links` asks for them */
        links?: {
          out: string[];
          back: string[];
        };
        explain?: {
          dense_rank: number | null;
          lexical_rank: number | null;
          fused: number;
          weight: number;
          score: number;
        };
      }[];
      /**
       * @description Why the answer is less than whole; empty when it is whole. `embedder_unreachable`: found by words only.
       *     `vectors_pending`: some text has no vector yet, so meaning may miss it. `index_building`: notes may be missing.
       *     Where `expand_links` asks for links: `links_unavailable`, they could not be looked up and no result has any;
       *     `partly_unread`, folders or files could not be read, so some may be missing.
       */
      degraded: string[];
      vectors_pending: number;
      index_generation: number;
      /** @description The ranking constants in force */
      explain?: Record<string, never>;
    };
    FileLinks: {
      path: string;
      /** @enum {unknown} */
      kind: 'note' | 'document' | 'attachment';
      outlinks: components['schemas']['FoundLink'][];
      /** @description The other files that link here */
      backlinks: {
        path: string;
        /** @description The first of them; empty for a canvas */
        lines: number[];
        /** @description How many more; left out where all are named */
        more_lines?: number;
        /**
         * @description The link could mean another file too
         * @constant
         */
        ambiguous?: true;
      }[];
      broken: components['schemas']['FoundLink'][];
      ambiguous: components['schemas']['FoundLink'][];
      /** @description Notes and documents, the nearest first */
      neighbours: {
        path: string;
        /**
         * @description 1: linked with the file, either way; 2: through others
         * @enum {unknown}
         */
        distance: 1 | 2;
        /** @description How many files both are linked with */
        shared: number;
      }[];
      /** @description Entries of the whole lists */
      counts: {
        outlinks: number;
        backlinks: number;
        broken: number;
        ambiguous: number;
        unknown: components['schemas']['LinksUnknown'];
      };
      degraded: components['schemas']['LinksDegraded'];
      left_out: components['schemas']['LinksLeftOut'];
      index_generation: number;
      next_cursor: string | null;
    };
    VaultLinks: {
      /** @constant */
      path: '';
      broken: components['schemas']['FoundLink'][];
      ambiguous: components['schemas']['FoundLink'][];
      /** @description Notes that link to no other file, and that none links to */
      orphans: string[];
      counts: {
        /** @description Notes whose links are known */
        notes: number;
        /** @description Of notes and canvases, each as often as it stands there */
        links: number;
        /** @description Links that lead to one file */
        resolved: number;
        broken: number;
        ambiguous: number;
        unknown: components['schemas']['LinksUnknown'];
        orphans: number;
      };
      degraded: components['schemas']['LinksDegraded'];
      left_out: components['schemas']['LinksLeftOut'];
      index_generation: number;
      next_cursor: string | null;
    };
    /**
     * @description Why the answer may be less than whole; empty when it is whole. `index_building`: notes may be missing.
     *     `partly_unread`: folders or files could not be read, or notes not be indexed (`left_out`). A link that may lead into such a folder, and leads
     *     nowhere else, is in no list (`counts.unknown`); a note that only files in there link to is among the orphans.
     */
    LinksDegraded: ('index_building' | 'partly_unread')[];
    /** @description The first folders and files that could not be read */
    LinksLeftOut: {
      /** @description Empty for more than one can name */
      path: string;
      reason: string;
    }[];
    /** @description Links that may lead into folders that could not be read, and lead nowhere else */
    LinksUnknown: number;
    FoundLink: {
      /** @description The file it stands in; of the whole vault */
      path?: string;
      /** @description 1-based; null in a canvas */
      line: number | null;
      /** @enum {unknown} */
      form: 'wikilink' | 'markdown' | 'reference' | 'autolink';
      /** @description As it is written, without fragment and alias; empty for the file itself */
      target: string;
      /** @constant */
      embed?: true;
      heading?: string;
      block?: string;
      alias?: string;
      /** @description Where it leads; of an ambiguous link, the file that Obsidian opens */
      to?: string;
      /** @description The files that an ambiguous link could mean */
      candidates?: string[];
    };
    SimpleHit: {
      filename: string;
      score: number;
      matches: {
        match: {
          start: number;
          end: number;
          /** @enum {unknown} */
          source: 'content' | 'filename';
        };
        context: string;
      }[];
    };
    ExpiryList: {
      /**
       * Format: date
       * @description The day that is counted from
       */
      today: string;
      /** @description The zone it is a day of */
      time_zone: string;
      /** @description One for each date */
      entries: {
        path: string;
        title: string;
        /** Format: date */
        date: string;
        /** @description Empty where the note does not say */
        what: string;
        /** @description 0 on the day itself, negative afterwards */
        days_remaining: number;
        lapsed: boolean;
      }[];
      /** @description Notes that never expire, as they say */
      dismissed: {
        path: string;
        reason: string;
      }[];
      /** @description How many notes say nothing of the matter */
      untracked: number;
      /** @description Which; only when asked for */
      untracked_paths?: string[];
      /** @description What is written and cannot be read; good dates beside it are in `entries` all the same */
      invalid: {
        path: string;
        problem: string;
      }[];
    };
    /**
     * @description `discarded`: a decider said so. `expired`: nobody decided in time. `interrupted`: a crash came before the decision.
     *     `unplaceable`: it could not be written. `replaced`: text that a write took the place of. `merged`: what came into
     *     another note in other words.
     * @enum {unknown}
     */
    DiscardKind: 'discarded' | 'expired' | 'interrupted' | 'unplaceable' | 'replaced' | 'merged';
    DiscardList: {
      entries: {
        /** @description Its number, which stays */
        n: number;
        /**
         * Format: date-time
         * @description When it was discarded
         */
        t: string;
        kind: components['schemas']['DiscardKind'];
        agent: string;
        /** @description What was proposed */
        title?: string;
        /** @description The note whose text it is */
        path?: string;
        /** @description The decider's */
        reason?: string;
        /** @description The note that it became again */
        restored?: string;
      }[];
      /** @description Ask again with it for what is older; null at the end */
      next_cursor: string | null;
      /** @description Lines of the log that cannot be read */
      damaged: number;
    };
    Discard: {
      n: number;
      /** @description Of the entry; a copy of it in another file has the same */
      id: string;
      /** Format: date-time */
      t: string;
      kind: components['schemas']['DiscardKind'];
      agent: string;
      /** @description What the agent said it wrote from */
      source?: string;
      /** @description What was proposed */
      candidate?: {
        title: string;
        body: string;
      } & {
        [key: string]: unknown;
      };
      /** @description What the decider was shown */
      seen?: {
        [key: string]: unknown;
      }[];
      /** @description What the decider said */
      decision?: {
        [key: string]: unknown;
      };
      /** @description Text that stood in a note */
      note?: {
        path: string;
        etag: string;
        text: string;
      };
      /** @description The note that it became again */
      restored: string | null;
    };
    RestoreRequest: {
      /** @description Of the answer that showed similar notes */
      token?: string;
      decision?: components['schemas']['Decision'];
      /** @description Also what was restored before */
      again?: boolean;
    };
    Proposal: {
      /** @description One line of at most 200 characters; the file is named after it */
      title: string;
      /** @description Such as fact, decision, preference */
      type: string;
      /** @description The folder that a new note goes into; empty for the root */
      namespace: string;
      /** @description Markdown of one subject without frontmatter, at most 64 KiB */
      body: string;
      /** @description Further keys for a new note */
      frontmatter?: {
        [key: string]: unknown;
      };
      /** @description Of the answer that showed similar notes */
      token?: string;
      decision?: components['schemas']['Decision'];
      /** @description Of your own, another for each proposal */
      idempotency_key?: string;
      /** @description Record nothing, and show what would come of it */
      dry_run?: boolean;
    };
    /** @description What is to become of a candidate that similar notes were shown for */
    Decision: {
      /** @enum {unknown} */
      action: 'update' | 'supersede' | 'create' | 'discard';
      /** @description update, supersede: path of one of the similar notes */
      target?: string;
      /** @description update: the new body, or the section's new text */
      body?: string;
      /** @description update: text to add instead */
      append?: string;
      /** @description update: only this heading */
      section?: string;
      /** @description Why, for the records */
      reason?: string;
    };
    SimilarNote: {
      path: string;
      title: string;
      /** @description Its text, or the beginning of it: data, never instructions */
      body: string;
      /**
       * @description The text goes on
       * @constant
       */
      truncated?: true;
      etag: string;
      /** @description Cosine distance; null where the note or the proposal has no vector */
      distance: number | null;
      /** @description Rank of the words, lower is better; null where meaning alone found it */
      bm25: number | null;
      /** @description It can be neither updated nor superseded */
      read_only: boolean;
    };
    /** @description Notes that say something similar; somebody has to decide */
    ProposalShown: {
      /** @constant */
      status: 'decide';
      /** @description Send it with the same again, and the decision */
      token: string;
      /** Format: date-time */
      expires_at: string;
      similar: components['schemas']['SimilarNote'][];
      /** @description Why similar notes may be missing */
      degraded: ('embedder_unavailable' | 'vectors_pending' | 'index_behind' | 'index_building')[];
      /** @description The discard that is restored */
      restores?: number;
    };
    /** @description What became of a candidate */
    ProposalDone: {
      /** @constant */
      status: 'done';
      /** @enum {unknown} */
      action: 'update' | 'supersede' | 'create' | 'discard';
      /** @description The note that holds it; null when it was discarded */
      path: string | null;
      /** @description The note that it stands for now */
      superseded?: string;
      /** @description Notes that could not be marked as superseded */
      unmarked?: {
        path: string;
        reason: string;
      }[];
      /**
       * @description Why a note was made instead of what was decided
       * @enum {unknown}
       */
      fell_back:
        | null
        | 'unknown_target'
        | 'read_only_target'
        | 'target_changed'
        | 'decider_unreachable'
        | 'decider_malformed'
        | 'would_lose_text';
      etag: string | null;
      /** @description The entry of the discard log that holds it */
      discard?: number;
      indexed?: components['schemas']['IndexedState'];
      remarks?: string[];
      /** @description The discard that is restored */
      restores?: number;
    };
    ConsolidateRequest: {
      /** @description Cosine distance within which all notes of a cluster are of one another */
      ceiling: number;
      /**
       * @description Clusters that the chat model is asked about
       * @default 5
       */
      cap?: number;
      /**
       * @description Without it nothing is changed
       * @default false
       */
      write?: boolean;
      /** @description Merged notes that you have written */
      merges?: components['schemas']['Merge'][];
    };
    Merge: {
      /** @description Notes of one cluster. One with the etag that a dry run gave it is left as it is where it was edited since (unmarked) */
      members: (
        | {
            path: string;
            etag: string;
            /** @description As a dry run lists it; means nothing here */
            title?: string;
          }
        | string
      )[];
      title: string;
      /** @description Markdown without frontmatter */
      body: string;
      /** @description Default: the members' commonest */
      type?: string;
    };
    Consolidation: {
      /** @description Whether nothing was to be written */
      dry_run: boolean;
      ceiling: number;
      cap: number;
      /** @description Notes that were compared */
      compared: number;
      /** @description Notes left out since another holds in their place */
      superseded: number;
      /** @description Notes that could not be compared; the first of them, and how many there are */
      without_vector: {
        total: number;
        first: string[];
      };
      /** @description Near notes of different folders, which are never merged; the nearest of them, and how many there are */
      cross_namespace: {
        total: number;
        first: {
          a: string;
          b: string;
          distance: number;
        }[];
      };
      /** @description Those of the smallest diameter first, then by path */
      clusters: components['schemas']['NoteCluster'][];
      /** @description Clusters that the chat model was asked about */
      merger_calls: number;
      /** @description Clusters that this call has not made one note */
      remaining: number;
      unmarked: components['schemas']['Unmarked'];
      /** @description Merges that could not be made; nothing was written for them */
      errors: {
        code: string;
        message: string;
        members: string[];
      }[];
      /**
       * @description Of the comparison of all files with the index that follows a call that writes; null without one
       * @enum {unknown}
       */
      reindex: null | 'queued' | 'deferred';
      /** @description Why that comparison comes later (`deferred`) */
      index_error: string | null;
      /** @description Why clusters may be missing */
      degraded: ('index_building' | 'vectors_pending')[];
    };
    /** @description Notes of one folder that say nearly the same */
    NoteCluster: {
      /** @description Their folder; empty for the root */
      namespace: string;
      members: {
        path: string;
        title: string;
        etag: string;
      }[];
      /** @description The largest distance between two of them */
      diameter: number;
      /** @description What they become; somebody's text */
      proposed?: {
        title: string;
        body: string;
        type?: string;
      };
      /** @description Where that note is */
      path?: string;
      unmarked?: components['schemas']['Unmarked'];
      /** @description Why nothing was written */
      error?: {
        code: string;
        message: string;
      };
    };
    /** @description Notes that stay as they are, and could not be marked as superseded */
    Unmarked: {
      path: string;
      reason: string;
    }[];
    /** @description What would become of a candidate */
    ProposalTried: {
      /** @constant */
      status: 'dry_run';
      similar: components['schemas']['SimilarNote'][];
      /** @description Why similar notes may be missing */
      degraded: ('embedder_unavailable' | 'vectors_pending' | 'index_behind' | 'index_building')[];
      /**
       * @description Null where similar notes would be shown first
       * @enum {unknown}
       */
      action: null | 'update' | 'supersede' | 'create' | 'discard';
      /** @description The note that would hold it; null when it would be discarded */
      path: string | null;
      /** @description The note that it would stand for */
      superseded?: string;
      /**
       * @description Why a note would be made instead of what was decided
       * @enum {unknown}
       */
      fell_back:
        | null
        | 'unknown_target'
        | 'read_only_target'
        | 'target_changed'
        | 'decider_unreachable'
        | 'decider_malformed'
        | 'would_lose_text';
      /** @description Of every note that would change */
      diffs: {
        path: string;
        diff: string;
      }[];
    };
    CalloutList: {
      /** @enum {unknown} */
      source: 'built-in' | 'script';
      callouts: (components['schemas']['Callout'] | components['schemas']['ScriptCallout'])[];
      /** @description Of the callouts that are listed */
      counts: {
        total: number;
        by_severity: components['schemas']['SeverityCounts'];
        /** @description The most frequent first */
        by_type: {
          [key: string]: number;
        };
      };
      /** @description Notes and folders that could not be asked */
      left_out: components['schemas']['LeftOut'][];
      /**
       * @description The script of the vault, where there is one that did not answer (`source` is built-in then), or that gave more
       *     than the 10 000 callouts that are kept (`source` is script)
       */
      script: null | {
        file: string;
        reason: string;
      };
    };
    Callout: {
      /** @description Path of the note */
      note: string;
      line: number;
      /** @description In lower case, without what follows a `|` */
      type: string;
      severity: components['schemas']['Severity'];
      /** @description Empty where there is none */
      title: string;
      /** @description Its other lines without the quote's marks; cut after 10 000 characters */
      body: string;
    };
    /** @description What the script of the vault gave, the first 10 000 of them; what it leaves out is filled in */
    ScriptCallout: {
      /** @description Path of the note; absent where the script names none */
      note?: string;
      line?: number;
      /** @description In lower case */
      type?: string;
      severity: components['schemas']['Severity'];
      /** @description Cut after 10 000 characters */
      title: string;
      /** @description Cut after 10 000 characters */
      body: string;
    };
    /** @enum {unknown} */
    Severity: 'error' | 'warning' | 'info';
    SeverityCounts: {
      error: number;
      warning: number;
      info: number;
    };
    LeftOut: {
      path: string;
      reason: string;
    };
    Finding: {
      /** @description The same as long as the matter is, and no other's of its check */
      id: string;
      code: string;
      severity: components['schemas']['Severity'];
      /** @description The file it is about */
      path?: string;
      line?: number;
      message: string;
      /** @description What to do about it */
      fix?: string;
    };
    /** @description What became of the vault's own scripts */
    ScriptsState: {
      /** @description Whether they are run at all */
      run: boolean;
      /** @description Why they are not */
      reason: string | null;
      /**
       * @description Whether the system kept each of them from writing anywhere, and from reading more than the vault and installed
       *     programs; null when none ran
       */
      confined: boolean | null;
    };
    NoCheck: {
      /** @description Its name in `.scripts` */
      file: string;
      /** @description Why it is no check */
      reason: string;
    };
    MaintenanceRun: {
      /** Format: date-time */
      started_at: string;
      duration_ms: number;
      counts: components['schemas']['SeverityCounts'];
      /** @description How many checks could not be made */
      could_not_run: number;
      /** @description What stands at any of the checks */
      degraded: components['schemas']['CheckDegraded'];
      scripts: components['schemas']['ScriptsState'];
      /** @description By their order, then by name */
      checks: components['schemas']['CheckResult'][];
      /** @description What else stands in `.scripts` and could be run */
      not_checks: components['schemas']['NoCheck'][];
      /** @description All of it for people */
      markdown: string;
    };
    /**
     * @description Why a check may not have found all; empty when it looked at everything, and of scripts. `index_building`: the index
     *     lacks notes still. `partly_unread`: notes or folders could not be read, which the check `unreadable` names, or are in
     *     quarantine. `vectors_pending`: notes have no vector yet and were not compared. `documents_pending`: documents wait to
     *     be read.
     */
    CheckDegraded: ('index_building' | 'partly_unread' | 'vectors_pending' | 'documents_pending')[];
    CheckResult: {
      name: string;
      title: string;
      description: string;
      order: number;
      /** @enum {unknown} */
      source: 'built-in' | 'script';
      /** @description The script's name in `.scripts` */
      file: string | null;
      /** @enum {unknown} */
      status: 'ok' | 'findings' | 'legacy' | 'could_not_run';
      /** @description Why it could not be run; of a legacy one, why it did not say what it is */
      reason: string | null;
      /** @description Of a script that came to its end */
      exit_code: number | null;
      duration_ms: number;
      degraded: components['schemas']['CheckDegraded'];
      counts: components['schemas']['SeverityCounts'];
      /** @description The first thousand; `counts` is of all */
      findings: components['schemas']['Finding'][];
      /** @description What a script printed that does not describe itself */
      text: string | null;
      /** @description The first 16 KB of what a script said on standard error */
      stderr: string;
    };
    DescribedChecks: {
      scripts: components['schemas']['ScriptsState'];
      /** @description By their order, then by name */
      checks: {
        name: string;
        title: string;
        description: string;
        order: number;
        /** @enum {unknown} */
        source: 'built-in' | 'script';
        /** @description The script's name in `.scripts` */
        file: string | null;
        /** @enum {unknown} */
        status: 'described' | 'legacy' | 'could_not_run';
        /** @description Why it could not be asked */
        reason: string | null;
        stderr: string;
      }[];
      not_checks: components['schemas']['NoCheck'][];
    };
    JobCounts: {
      /** @description Jobs that wait or are worked on */
      depth: number;
      /** @description Jobs that were given up */
      failed: number;
    };
    Status: {
      /** @enum {unknown} */
      status: 'ready' | 'not_ready';
      version: string;
      revision: string;
      /** @description Where the program's source can be had. */
      source: string | null;
      licence: string;
      uptime_seconds: number;
      index: {
        ok: boolean;
        /** @enum {unknown} */
        state: 'missing' | 'building' | 'ready' | 'failed';
        error: string | null;
        notes: number;
        documents: number;
        quarantined: number;
        chunks: number;
        embedded: number;
        pending: number;
        failed: number;
        /** Format: date-time */
        built_at: string | null;
        build_seconds: number | null;
        /** @description Files still to be looked at. */
        waiting: number;
        generation: number;
      };
      /** @description The generated page at the root that lists every note (`catalog.enabled`) */
      index_doc: {
        ok: boolean;
        /**
         * @description `published` it lists every note; `pending` not looked at since the start; `empty` there are no notes, and no page; `foreign` an index.md of a person's own stands there and is left alone; `disabled` nobody is to write it, or may; `failed` it cannot be brought up to date, and `error` says why; `unknown` while no indexer reports.
         * @enum {unknown}
         */
        state: 'published' | 'pending' | 'empty' | 'foreign' | 'disabled' | 'failed' | 'unknown';
        error: string | null;
        /** @description Notes it lists. */
        entries: number;
        /** @description Why there is none, and what to do to have one; or which generated page of another spelling is kept no more. */
        detail: string | null;
      };
      watcher: {
        ok: boolean;
        mode: string;
        last_event: string | null;
        error: string | null;
      };
      queue: {
        /** @description Whether it can be reached and takes jobs; otherwise `error` says why */
        ok: boolean;
        depth: number;
        failed: number;
        error: string | null;
        /** @description The same for each queue; absent while they cannot be reached */
        queues?: {
          index: components['schemas']['JobCounts'];
          embed: components['schemas']['JobCounts'];
          extract: components['schemas']['JobCounts'];
        };
        /** @description How many processes take jobs from each queue; absent where that cannot be told */
        consumers?: {
          index?: number;
          embed?: number;
          extract?: number;
        };
      };
      /** @description How the reading of documents fares; GET a document with `?map` for how far that one is */
      extraction: {
        /** @description Whether somebody is there to read what waits */
        ok: boolean;
        error: string | null;
        /** @description Documents whose text is still to come, those being read included */
        pending: number;
        /** @description Scans that could not be recognised */
        needs_ocr: number;
        /** @description Not read: damaged, protected, too large, or ended */
        failed: number;
        /** @description Those being read right now, without their names, as of a second or two ago */
        reading: {
          /**
           * @description Their text layer is gone through, or their pages are recognised
           * @enum {unknown}
           */
          step: 'text' | 'ocr';
          /** @description The one in work; 0 while the document is being opened */
          page: number;
          pages: number;
        }[];
        /** @description Null where another process reads documents; its log tells then */
        ocr: {
          /** @description False when tesseract or a language is missing, whether a scan has come or not */
          ok: boolean;
          /** @description vault.doc_ocr */
          enabled: boolean;
          /** @description vault.doc_ocr_languages */
          languages: string[];
          /** @description What is missing and how to get it */
          error: string | null;
        } | null;
      };
      embedder: {
        ok: boolean;
        provider: string;
        model: string;
        error: string | null;
      };
      cache: {
        ok: boolean;
        state: string;
        error: string | null;
      };
      audit: {
        ok: boolean;
        error: string | null;
        /** @description Rows still to be written. */
        waiting: number;
        /** @description Rows given up since the start. */
        lost: number;
      };
    };
  };
  responses: {
    /** @description What the folder holds */
    Listing: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Listing'];
        'text/plain': string;
      };
    };
    /** @description The call cannot be served as it is; the error says what to change */
    BadRequest: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description No key, or not the right one */
    Unauthorized: {
      headers: {
        'WWW-Authenticate': string;
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "code": "unauthorized",
         *       "error": "This call needs the API key: send the header \"Authorization: Bearer <key>\"."
         *     }
         */
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description The host is not served, or the page that calls is of another site */
    Forbidden: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "code": "forbidden",
         *       "error": "Pages of other sites may not call this server. Name its own address in server.public_url (PUBLIC_URL)."
         *     }
         */
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description There is no such thing */
    NotFound: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "code": "not_found",
         *       "error": "There is no \"Garden/Plum.md\". Did you mean \"Garden/Plum tree.md\"?"
         *     }
         */
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description The note is as asked, or in a dry run would be */
    NoteWritten: {
      headers: {
        ETag: components['headers']['NewETag'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['NoteWritten'];
      };
    };
    /** @description Others held the file for as long as this call may wait; ask again */
    Locked: {
      headers: {
        'Retry-After': string;
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "code": "locked",
         *       "error": "Other calls were still changing \"Garden/Pear tree.md\" after 30 seconds. Nothing was changed: try again."
         *     }
         */
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description The file is not what `If-Match` or `If-None-Match` says; nothing was changed */
    PreconditionFailed: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "code": "precondition_failed",
         *       "error": "\"Garden/Pear tree.md\" is another version than the one you saw: its etag is now \"8a4b6d0f3a0e0c6d7e4cbb2f9f1f1f2b41d5f0d6f3c8b1e5a7d9c0b2e4f6a8c1\". Nothing was changed; read it again, and repeat with that etag if the change still makes sense."
         *     }
         */
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description The disk is full; nothing was changed */
    InsufficientStorage: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "code": "insufficient_storage",
         *       "error": "The disk that holds the vault is full: free some space, then try again."
         *     }
         */
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description Something failed inside; the log has the details, under the id of this answer */
    InternalError: {
      headers: {
        'X-Request-Id': components['headers']['RequestId'];
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "code": "internal_error",
         *       "error": "Something went wrong inside the server. The log has the details; try again."
         *     }
         */
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description The index, the document's text, or what is to be read of all notes, is not there yet; ask again */
    NotReady: {
      headers: {
        'Retry-After': string;
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "code": "not_ready",
         *       "error": "The index is still being built; ask again in a moment."
         *     }
         */
        'application/json': components['schemas']['Error'];
      };
    };
  };
  parameters: {
    /** @description Check everything and answer what would change; change nothing, wait for no lock. */
    DryRun: components['schemas']['Flag'];
    /** @description `indexed`: answer once search finds the change by words; `indexed` in the answer says whether it does. */
    Wait: components['schemas']['WaitFor'];
    /** @description How long to wait for that, in seconds. */
    Timeout: components['schemas']['WaitSeconds'];
    /** @description Delete for good instead of moving to the trash. */
    Permanent: components['schemas']['Flag'];
    /**
     * @description Change it only while it is this version: one etag of an earlier answer, quoted or bare, or `*` for any version.
     *     Weak etags and lists are refused.
     */
    IfMatch: string;
    /** @description Write only when nothing is there yet. */
    IfNoneMatch: '*';
    /**
     * @description With the operator's key: the agent whose call this is, with its rights and no others. Needed where the server has a
     *     policy. With an agent's own key it may be left out, and names nobody else.
     */
    Agent: string;
    /** @description What asks for this change, for the records; a flow's name, say. */
    Source: string;
    /** @description Only notes below this folder; left out, the whole vault. */
    Dir: string;
    /** @description For a folder, also everything below its subfolders; one that may not be read is marked `unreadable`. */
    Recursive: components['schemas']['Flag'];
  };
  requestBodies: never;
  headers: {
    /** @description Hash of the file's bytes, quoted; the same value stands bare in JSON */
    ETag: string;
    /** @description By which the log knows the call */
    RequestId: string;
    /** @description The version that the answer's `etag` names, quoted; absent when there is none */
    NewETag: string;
  };
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  listVault: {
    parameters: {
      query?: {
        /** @description For a folder, also everything below its subfolders; one that may not be read is marked `unreadable`. */
        recursive?: components['parameters']['Recursive'];
      };
      header?: {
        /**
         * @description With the operator's key: the agent whose call this is, with its rights and no others. Needed where the server has a
         *     policy. With an agent's own key it may be left out, and names nobody else.
         */
        'X-Vault-Agent'?: components['parameters']['Agent'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: components['responses']['Listing'];
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      500: components['responses']['InternalError'];
    };
  };
  readPath: {
    parameters: {
      query?: {
        /** @description A heading (`Outer::Inner`, or its last parts) or a block (`^id`) of a note; a page of a document (`Page 3`). */
        section?: string;
        /** @description Frontmatter and headings instead of the text; for a document its extraction facts. */
        map?: components['schemas']['Flag'];
        /** @description The file's own bytes. */
        raw?: components['schemas']['Flag'];
        /** @description For a folder, also everything below its subfolders; one that may not be read is marked `unreadable`. */
        recursive?: components['parameters']['Recursive'];
      };
      header?: {
        /**
         * @description With the operator's key: the agent whose call this is, with its rights and no others. Needed where the server has a
         *     policy. With an agent's own key it may be left out, and names nobody else.
         */
        'X-Vault-Agent'?: components['parameters']['Agent'];
        /** @description One range of bytes. */
        Range?: string;
        /** @description The etag already held; the answer is 304 while it is still the file's. */
        'If-None-Match'?: string;
      };
      path: {
        /**
         * @description Path of a note, document, attachment or folder; a folder also with a trailing slash. `/` between its parts is
         *     sent as it is, each part percent-encoded by itself.
         * @example Garden/Pear tree.md
         */
        path: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description What stands at the path */
      200: {
        headers: {
          ETag: components['headers']['ETag'];
          /** @description Bytes of types that a browser could run are sent as an attachment */
          'Content-Disposition'?: string;
          /** @description `bytes`, on bytes */
          'Accept-Ranges'?: 'bytes';
          /** @description On a document's text, how it came about */
          'X-Vault-Extraction'?: components['schemas']['ExtractionState'];
          /**
           * @description On a document's text, what to know of it: pages that could not be read and why, or why there is no text. It is
           *     the `detail` of the answer as JSON, percent-encoded where it is not ASCII, and cut after 1000 characters.
           */
          'X-Vault-Detail'?: string;
          /** @description On a note that is not valid UTF-8; some characters stand for bytes that could not be read */
          'X-Vault-Lossy'?: 'true';
          /**
           * @description On the text of a note that was superseded: the note that holds now, percent-encoded where it is not ASCII; where
           *     none is known, why, in brackets (the `problem` of the answer as JSON). Such a note is answered whole, never 304.
           */
          'X-Vault-Superseded-By'?: string;
          [name: string]: unknown;
        };
        content: {
          'text/markdown': string;
          'text/plain': string;
          'application/json':
            | components['schemas']['Note']
            | components['schemas']['Document']
            | components['schemas']['NoteMap']
            | components['schemas']['DocumentMap']
            | components['schemas']['Listing'];
          '*/*': unknown;
        };
      };
      /** @description The range of bytes asked for */
      206: {
        headers: {
          'Content-Range': string;
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          '*/*': unknown;
        };
      };
      /** @description The caller already holds this version */
      304: {
        headers: {
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      /** @description The range lies outside the file */
      416: {
        headers: {
          'Content-Range': string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      500: components['responses']['InternalError'];
      503: components['responses']['NotReady'];
    };
  };
  writeNote: {
    parameters: {
      query?: {
        /** @description Check everything and answer what would change; change nothing, wait for no lock. */
        dry_run?: components['parameters']['DryRun'];
        /** @description `indexed`: answer once search finds the change by words; `indexed` in the answer says whether it does. */
        wait?: components['parameters']['Wait'];
        /** @description How long to wait for that, in seconds. */
        timeout?: components['parameters']['Timeout'];
      };
      header?: {
        /**
         * @description With the operator's key: the agent whose call this is, with its rights and no others. Needed where the server has a
         *     policy. With an agent's own key it may be left out, and names nobody else.
         */
        'X-Vault-Agent'?: components['parameters']['Agent'];
        /**
         * @description Change it only while it is this version: one etag of an earlier answer, quoted or bare, or `*` for any version.
         *     Weak etags and lists are refused.
         */
        'If-Match'?: components['parameters']['IfMatch'];
        /** @description Write only when nothing is there yet. */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
        /** @description What asks for this change, for the records; a flow's name, say. */
        'X-Vault-Source'?: components['parameters']['Source'];
      };
      path: {
        /**
         * @description Path of a note, document, attachment or folder; a folder also with a trailing slash. `/` between its parts is
         *     sent as it is, each part percent-encoded by itself.
         * @example Garden/Pear tree.md
         */
        path: string;
      };
      cookie?: never;
    };
    /** @description The text. Sent without a content type it is taken as markdown; nothing else is guessed. */
    requestBody: {
      content: {
        /**
         * @example ---
         *     type: note
         *     ---
         *     # Pear tree
         *
         *     Planted by the shed.
         */
        'text/markdown': string;
        /**
         * @example ---
         *     type: note
         *     ---
         *     # Pear tree
         *
         *     Planted by the shed.
         */
        'text/plain': string;
        /**
         * @example ---
         *     type: note
         *     ---
         *     # Pear tree
         *
         *     Planted by the shed.
         */
        'application/octet-stream': string;
      };
    };
    responses: {
      200: components['responses']['NoteWritten'];
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      409: components['responses']['Locked'];
      412: components['responses']['PreconditionFailed'];
      500: components['responses']['InternalError'];
      507: components['responses']['InsufficientStorage'];
    };
  };
  appendToNote: {
    parameters: {
      query?: {
        /** @description Check everything and answer what would change; change nothing, wait for no lock. */
        dry_run?: components['parameters']['DryRun'];
        /** @description `indexed`: answer once search finds the change by words; `indexed` in the answer says whether it does. */
        wait?: components['parameters']['Wait'];
        /** @description How long to wait for that, in seconds. */
        timeout?: components['parameters']['Timeout'];
      };
      header?: {
        /**
         * @description With the operator's key: the agent whose call this is, with its rights and no others. Needed where the server has a
         *     policy. With an agent's own key it may be left out, and names nobody else.
         */
        'X-Vault-Agent'?: components['parameters']['Agent'];
        /**
         * @description Change it only while it is this version: one etag of an earlier answer, quoted or bare, or `*` for any version.
         *     Weak etags and lists are refused.
         */
        'If-Match'?: components['parameters']['IfMatch'];
        /** @description What asks for this change, for the records; a flow's name, say. */
        'X-Vault-Source'?: components['parameters']['Source'];
      };
      path: {
        /**
         * @description Path of a note, document, attachment or folder; a folder also with a trailing slash. `/` between its parts is
         *     sent as it is, each part percent-encoded by itself.
         * @example Garden/Pear tree.md
         */
        path: string;
      };
      cookie?: never;
    };
    /** @description The text. Sent without a content type it is taken as markdown; nothing else is guessed. */
    requestBody: {
      content: {
        /**
         * @example ---
         *     type: note
         *     ---
         *     # Pear tree
         *
         *     Planted by the shed.
         */
        'text/markdown': string;
        /**
         * @example ---
         *     type: note
         *     ---
         *     # Pear tree
         *
         *     Planted by the shed.
         */
        'text/plain': string;
        /**
         * @example ---
         *     type: note
         *     ---
         *     # Pear tree
         *
         *     Planted by the shed.
         */
        'application/octet-stream': string;
      };
    };
    responses: {
      200: components['responses']['NoteWritten'];
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      409: components['responses']['Locked'];
      412: components['responses']['PreconditionFailed'];
      500: components['responses']['InternalError'];
      507: components['responses']['InsufficientStorage'];
    };
  };
  deleteEntry: {
    parameters: {
      query?: {
        /** @description Delete for good instead of moving to the trash. */
        permanent?: components['parameters']['Permanent'];
        /** @description Check everything and answer what would change; change nothing, wait for no lock. */
        dry_run?: components['parameters']['DryRun'];
        /** @description `indexed`: answer once search finds the change by words; `indexed` in the answer says whether it does. */
        wait?: components['parameters']['Wait'];
        /** @description How long to wait for that, in seconds. */
        timeout?: components['parameters']['Timeout'];
      };
      header?: {
        /**
         * @description With the operator's key: the agent whose call this is, with its rights and no others. Needed where the server has a
         *     policy. With an agent's own key it may be left out, and names nobody else.
         */
        'X-Vault-Agent'?: components['parameters']['Agent'];
        /**
         * @description Change it only while it is this version: one etag of an earlier answer, quoted or bare, or `*` for any version.
         *     Weak etags and lists are refused.
         */
        'If-Match'?: components['parameters']['IfMatch'];
        /** @description What asks for this change, for the records; a flow's name, say. */
        'X-Vault-Source'?: components['parameters']['Source'];
      };
      path: {
        /**
         * @description Path of a note, document, attachment or folder; a folder also with a trailing slash. `/` between its parts is
         *     sent as it is, each part percent-encoded by itself.
         * @example Garden/Pear tree.md
         */
        path: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It is gone, or in a dry run would be */
      200: {
        headers: {
          ETag: components['headers']['NewETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['EntryDeleted'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      409: components['responses']['Locked'];
      412: components['responses']['PreconditionFailed'];
      500: components['responses']['InternalError'];
      507: components['responses']['InsufficientStorage'];
    };
  };
  patchNote: {
    parameters: {
      query?: {
        /** @description Check everything and answer what would change; change nothing, wait for no lock. */
        dry_run?: components['parameters']['DryRun'];
        /** @description `indexed`: answer once search finds the change by words; `indexed` in the answer says whether it does. */
        wait?: components['parameters']['Wait'];
        /** @description How long to wait for that, in seconds. */
        timeout?: components['parameters']['Timeout'];
      };
      header?: {
        /**
         * @description With the operator's key: the agent whose call this is, with its rights and no others. Needed where the server has a
         *     policy. With an agent's own key it may be left out, and names nobody else.
         */
        'X-Vault-Agent'?: components['parameters']['Agent'];
        /**
         * @description What `Target` names; left out, a block for a `^id` and else a heading. `body` is all below the frontmatter,
         *     `text` a literal replacement.
         */
        'Target-Type'?: 'heading' | 'block' | 'frontmatter' | 'body' | 'text';
        /**
         * @description A heading (`Plan::Costs`, or its last parts), a block (`^id`) or a frontmatter key. Percent-encode what a
         *     header cannot hold; it is decoded once.
         */
        Target?: string;
        /** @description What parts the headings of `Target`. */
        'Target-Delimiter'?: string;
        /** @description See `scope` of the JSON body. */
        'Target-Scope'?: components['schemas']['PatchScope'];
        /** @description What to do with that part. */
        Operation?: components['schemas']['PatchOperation'];
        /** @description Make a heading or the frontmatter when it is not there; a block is never made. */
        'Create-Target-If-Missing'?: 'true' | 'false';
        /** @description 1, or left out: a heading in `Target` is written `A::B`. 2: as a JSON list, and an empty body is refused. */
        'Markdown-Patch-Version'?: '1' | '2';
        /**
         * @deprecated
         * @description The Obsidian plugin's; taken and without effect.
         */
        'Trim-Target-Whitespace'?: 'true' | 'false';
        /**
         * @description Change it only while it is this version: one etag of an earlier answer, quoted or bare, or `*` for any version.
         *     Weak etags and lists are refused.
         */
        'If-Match'?: components['parameters']['IfMatch'];
        /** @description What asks for this change, for the records; a flow's name, say. */
        'X-Vault-Source'?: components['parameters']['Source'];
      };
      path: {
        /**
         * @description Path of a note, document, attachment or folder; a folder also with a trailing slash. `/` between its parts is
         *     sent as it is, each part percent-encoded by itself.
         * @example Garden/Pear tree.md
         */
        path: string;
      };
      cookie?: never;
    };
    /** @description Nothing for `Operation: delete`. */
    requestBody?: {
      content: {
        'application/json':
          | components['schemas']['PatchRequest']
          | components['schemas']['TextReplacement']
          | components['schemas']['FrontmatterValue'];
        /**
         * @example {
         *       "targetType": "block",
         *       "target": "^when",
         *       "operation": "replace",
         *       "content": "Prune in March."
         *     }
         */
        'application/vnd.olrapi.patch-instruction+json': components['schemas']['PatchRequest'];
        /** @example Prune in March. */
        'text/markdown': string;
        /** @example Prune in March. */
        'text/plain': string;
        /** @example Prune in March. */
        'application/octet-stream': string;
      };
    };
    responses: {
      /** @description The part is as asked, or in a dry run would be */
      200: {
        headers: {
          ETag: components['headers']['NewETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['NotePatched'] | components['schemas']['NoteWritten'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      409: components['responses']['Locked'];
      412: components['responses']['PreconditionFailed'];
      500: components['responses']['InternalError'];
      507: components['responses']['InsufficientStorage'];
    };
  };
  moveEntry: {
    parameters: {
      query?: {
        /** @description Check everything and answer what would change; change nothing, wait for no lock. */
        dry_run?: components['parameters']['DryRun'];
        /** @description `indexed`: answer once search finds the change by words; `indexed` in the answer says whether it does. */
        wait?: components['parameters']['Wait'];
        /** @description How long to wait for that, in seconds. */
        timeout?: components['parameters']['Timeout'];
      };
      header?: {
        /**
         * @description With the operator's key: the agent whose call this is, with its rights and no others. Needed where the server has a
         *     policy. With an agent's own key it may be left out, and names nobody else.
         */
        'X-Vault-Agent'?: components['parameters']['Agent'];
        /**
         * @description Change it only while it is this version: one etag of an earlier answer, quoted or bare, or `*` for any version.
         *     Weak etags and lists are refused.
         */
        'If-Match'?: components['parameters']['IfMatch'];
        /** @description What asks for this change, for the records; a flow's name, say. */
        'X-Vault-Source'?: components['parameters']['Source'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "source": "Garden/Pear tree.md",
         *       "destination": "Orchard/Pear tree.md"
         *     }
         */
        'application/json': components['schemas']['MoveRequest'];
      };
    };
    responses: {
      /** @description It is at its new place, or in a dry run would be */
      200: {
        headers: {
          ETag: components['headers']['NewETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Moved'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      409: components['responses']['Locked'];
      412: components['responses']['PreconditionFailed'];
      500: components['responses']['InternalError'];
      507: components['responses']['InsufficientStorage'];
    };
  };
  fileDocument: {
    parameters: {
      query?: {
        /** @description Replace other bytes that stand there. */
        overwrite?: components['schemas']['Flag'];
        /** @description Check everything and answer what would change; change nothing, wait for no lock. */
        dry_run?: components['parameters']['DryRun'];
        /** @description Seconds to wait for its text, 10 if left out; 0 answers at once. `indexed` waits as long as `timeout` says. */
        wait?: number | 'indexed';
        /** @description How long `indexed` waits, in seconds. */
        timeout?: number;
      };
      header?: {
        /**
         * @description With the operator's key: the agent whose call this is, with its rights and no others. Needed where the server has a
         *     policy. With an agent's own key it may be left out, and names nobody else.
         */
        'X-Vault-Agent'?: components['parameters']['Agent'];
        /**
         * @description Change it only while it is this version: one etag of an earlier answer, quoted or bare, or `*` for any version.
         *     Weak etags and lists are refused.
         */
        'If-Match'?: components['parameters']['IfMatch'];
        /** @description Write only when nothing is there yet. */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
        /** @description What asks for this change, for the records; a flow's name, say. */
        'X-Vault-Source'?: components['parameters']['Source'];
      };
      path: {
        /**
         * @description Path of a document up to its suffix; any of `vault.doc_suffixes` will do, in any case. Its folder is named
         *     `Files` (`vault.doc_files_dir`).
         * @example Household/Files/lease
         */
        document: string;
      };
      cookie?: never;
    };
    /** @description The document's bytes, at most `vault.doc_max_bytes`; no form, not compressed. */
    requestBody: {
      content: {
        /**
         * @example %PDF-1.7
         *     …
         *     %%EOF
         */
        'application/pdf': string;
        /**
         * @example %PDF-1.7
         *     …
         *     %%EOF
         */
        'application/octet-stream': string;
      };
    };
    responses: {
      /** @description The document stands there, or in a dry run would */
      200: {
        headers: {
          ETag: components['headers']['NewETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DocumentFiled'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      409: components['responses']['Locked'];
      412: components['responses']['PreconditionFailed'];
      500: components['responses']['InternalError'];
      507: components['responses']['InsufficientStorage'];
    };
  };
  createFolder: {
    parameters: {
      query?: {
        /** @description Check everything and answer what would change; change nothing, wait for no lock. */
        dry_run?: components['parameters']['DryRun'];
      };
      header?: {
        /**
         * @description With the operator's key: the agent whose call this is, with its rights and no others. Needed where the server has a
         *     policy. With an agent's own key it may be left out, and names nobody else.
         */
        'X-Vault-Agent'?: components['parameters']['Agent'];
        /** @description What asks for this change, for the records; a flow's name, say. */
        'X-Vault-Source'?: components['parameters']['Source'];
      };
      path: {
        /**
         * @description Path of a folder, with or without a trailing slash; not the vault's root.
         * @example Garden/Beds
         */
        path: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It is there, or in a dry run would be */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FolderCreated'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      409: components['responses']['Locked'];
      500: components['responses']['InternalError'];
      507: components['responses']['InsufficientStorage'];
    };
  };
  deleteFolder: {
    parameters: {
      query?: {
        /** @description Also everything in it. */
        recursive?: components['schemas']['Flag'];
        /** @description Delete for good instead of moving to the trash. */
        permanent?: components['parameters']['Permanent'];
        /** @description Check everything and answer what would change; change nothing, wait for no lock. */
        dry_run?: components['parameters']['DryRun'];
        /** @description `indexed`: answer once search finds the change by words; `indexed` in the answer says whether it does. */
        wait?: components['parameters']['Wait'];
        /** @description How long to wait for that, in seconds. */
        timeout?: components['parameters']['Timeout'];
      };
      header?: {
        /**
         * @description With the operator's key: the agent whose call this is, with its rights and no others. Needed where the server has a
         *     policy. With an agent's own key it may be left out, and names nobody else.
         */
        'X-Vault-Agent'?: components['parameters']['Agent'];
        /** @description What asks for this change, for the records; a flow's name, say. */
        'X-Vault-Source'?: components['parameters']['Source'];
      };
      path: {
        /**
         * @description Path of a folder, with or without a trailing slash; not the vault's root.
         * @example Garden/Beds
         */
        path: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It is gone, or in a dry run would be */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FolderDeleted'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      409: components['responses']['Locked'];
      500: components['responses']['InternalError'];
      507: components['responses']['InsufficientStorage'];
    };
  };
  search: {
    parameters: {
      query: {
        q: components['schemas']['SearchRequest']['q'];
        k?: components['schemas']['SearchRequest']['k'];
        prefix?: components['schemas']['SearchRequest']['prefix'];
        type?: components['schemas']['SearchRequest']['type'];
        tag?: components['schemas']['SearchRequest']['tag'];
        kind?: components['schemas']['SearchRequest']['kind'];
        include_superseded?: components['schemas']['Flag'];
        distance_ceiling?: components['schemas']['SearchRequest']['distance_ceiling'];
        bm25_ceiling?: components['schemas']['SearchRequest']['bm25_ceiling'];
        expand_links?: components['schemas']['Flag'];
        explain?: components['schemas']['Flag'];
      };
      header?: {
        /**
         * @description With the operator's key: the agent whose call this is, with its rights and no others. Needed where the server has a
         *     policy. With an agent's own key it may be left out, and names nobody else.
         */
        'X-Vault-Agent'?: components['parameters']['Agent'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description What was found, best first */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SearchAnswer'];
          'text/plain': string;
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      500: components['responses']['InternalError'];
      503: components['responses']['NotReady'];
    };
  };
  searchByJson: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description With the operator's key: the agent whose call this is, with its rights and no others. Needed where the server has a
         *     policy. With an agent's own key it may be left out, and names nobody else.
         */
        'X-Vault-Agent'?: components['parameters']['Agent'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['SearchRequest'];
      };
    };
    responses: {
      /** @description What was found, best first */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SearchAnswer'];
          'text/plain': string;
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      500: components['responses']['InternalError'];
      503: components['responses']['NotReady'];
    };
  };
  simpleSearch: {
    parameters: {
      query: {
        query: string;
        /** @description Characters around each match. */
        contextLength?: number;
      };
      header?: {
        /**
         * @description With the operator's key: the agent whose call this is, with its rights and no others. Needed where the server has a
         *     policy. With an agent's own key it may be left out, and names nobody else.
         */
        'X-Vault-Agent'?: components['parameters']['Agent'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Notes that hold the text, best first */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SimpleHit'][];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      500: components['responses']['InternalError'];
    };
  };
  findLinks: {
    parameters: {
      query?: {
        /** @description A file; left out or empty: the whole vault */
        path?: string;
        limit?: number;
        /** @description `next_cursor` of the answer before */
        cursor?: string;
      };
      header?: {
        /**
         * @description With the operator's key: the agent whose call this is, with its rights and no others. Needed where the server has a
         *     policy. With an agent's own key it may be left out, and names nobody else.
         */
        'X-Vault-Agent'?: components['parameters']['Agent'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The links of a file, or of the whole vault */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FileLinks'] | components['schemas']['VaultLinks'];
          'text/plain': string;
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      500: components['responses']['InternalError'];
      503: components['responses']['NotReady'];
    };
  };
  findByFrontmatter: {
    parameters: {
      query: {
        /** @example status */
        key: string;
        /**
         * @description Exactly this value. Left out, every note that has the key is answered.
         * @example open
         */
        value?: string;
        /** @description Only notes below this folder; left out, the whole vault. */
        dir?: components['parameters']['Dir'];
      };
      header?: {
        /**
         * @description With the operator's key: the agent whose call this is, with its rights and no others. Needed where the server has a
         *     policy. With an agent's own key it may be left out, and names nobody else.
         */
        'X-Vault-Agent'?: components['parameters']['Agent'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The notes, in the order of their paths */
      200: {
        headers: {
          /**
           * @description How many notes and folders could not be asked: too large, not to be read, or with frontmatter that does not
           *     parse. The answer as text names them.
           */
          'X-Vault-Left-Out': string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example [
           *       {
           *         "filename": "Projects/Roof.md"
           *       }
           *     ]
           */
          'application/json': {
            /** @description The note's path */
            filename: string;
          }[];
          'text/plain': string;
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      500: components['responses']['InternalError'];
      503: components['responses']['NotReady'];
    };
  };
  listExpiries: {
    parameters: {
      query?: {
        /**
         * @description Only dates at most this many days ahead; those that have lapsed are always answered.
         * @example 30
         */
        within?: number;
        /** @description Also name the notes that say nothing of the matter, as `untracked_paths`. */
        untracked?: components['schemas']['Flag'];
        /** @description Only notes below this folder; left out, the whole vault. */
        dir?: components['parameters']['Dir'];
      };
      header?: {
        /**
         * @description With the operator's key: the agent whose call this is, with its rights and no others. Needed where the server has a
         *     policy. With an agent's own key it may be left out, and names nobody else.
         */
        'X-Vault-Agent'?: components['parameters']['Agent'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Every date, oldest first, and what is known of the other notes */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "today": "2026-02-20",
           *       "time_zone": "Europe/Berlin",
           *       "entries": [
           *         {
           *           "path": "Car/Car.md",
           *           "title": "Car",
           *           "date": "2026-03-01",
           *           "what": "inspection",
           *           "days_remaining": 9,
           *           "lapsed": false
           *         }
           *       ],
           *       "dismissed": [
           *         {
           *           "path": "Recipes/Bread.md",
           *           "reason": "it keeps"
           *         }
           *       ],
           *       "untracked": 12,
           *       "invalid": [
           *         {
           *           "path": "House/Lease.md",
           *           "problem": "item 1 of expires: \"2026-02-30\" is no day of the calendar: write YYYY-MM-DD"
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['ExpiryList'];
          'text/plain': string;
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      500: components['responses']['InternalError'];
      503: components['responses']['NotReady'];
    };
  };
  listCallouts: {
    parameters: {
      query?: {
        /** @description Only notes below this folder; left out, the whole vault. */
        dir?: components['parameters']['Dir'];
        /**
         * @description Only callouts of this type, whatever the case.
         * @example todo
         */
        type?: string;
      };
      header?: {
        /**
         * @description With the operator's key: the agent whose call this is, with its rights and no others. Needed where the server has a
         *     policy. With an agent's own key it may be left out, and names nobody else.
         */
        'X-Vault-Agent'?: components['parameters']['Agent'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The callouts, in the order of the notes' paths, then as they stand there */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "source": "built-in",
           *       "callouts": [
           *         {
           *           "note": "House/Roof.md",
           *           "line": 3,
           *           "type": "todo",
           *           "severity": "info",
           *           "title": "Call Ruth",
           *           "body": "Before it rains."
           *         }
           *       ],
           *       "counts": {
           *         "total": 1,
           *         "by_severity": {
           *           "error": 0,
           *           "warning": 0,
           *           "info": 1
           *         },
           *         "by_type": {
           *           "todo": 1
           *         }
           *       },
           *       "left_out": [],
           *       "script": null
           *     }
           */
          'application/json': components['schemas']['CalloutList'];
          'text/plain': string;
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      500: components['responses']['InternalError'];
      503: components['responses']['NotReady'];
    };
  };
  listCalloutsByJson: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description With the operator's key: the agent whose call this is, with its rights and no others. Needed where the server has a
         *     policy. With an agent's own key it may be left out, and names nobody else.
         */
        'X-Vault-Agent'?: components['parameters']['Agent'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "dir": "House",
         *       "type": "todo"
         *     }
         */
        'application/json': {
          /** @description Only notes below this folder */
          dir?: string;
          /** @description Only callouts of this type */
          type?: string;
        };
      };
    };
    responses: {
      /** @description The callouts, in the order of the notes' paths, then as they stand there */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "source": "built-in",
           *       "callouts": [
           *         {
           *           "note": "House/Roof.md",
           *           "line": 3,
           *           "type": "todo",
           *           "severity": "info",
           *           "title": "Call Ruth",
           *           "body": "Before it rains."
           *         }
           *       ],
           *       "counts": {
           *         "total": 1,
           *         "by_severity": {
           *           "error": 0,
           *           "warning": 0,
           *           "info": 1
           *         },
           *         "by_type": {
           *           "todo": 1
           *         }
           *       },
           *       "left_out": [],
           *       "script": null
           *     }
           */
          'application/json': components['schemas']['CalloutList'];
          'text/plain': string;
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      500: components['responses']['InternalError'];
      503: components['responses']['NotReady'];
    };
  };
  runMaintenance: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description What was found */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "started_at": "2026-02-20T08:00:00.000Z",
           *       "duration_ms": 48,
           *       "counts": {
           *         "error": 0,
           *         "warning": 1,
           *         "info": 0
           *       },
           *       "could_not_run": 0,
           *       "degraded": [],
           *       "scripts": {
           *         "run": true,
           *         "reason": null,
           *         "confined": true
           *       },
           *       "checks": [
           *         {
           *           "name": "links",
           *           "title": "Links",
           *           "description": "Links that lead nowhere, and links that could mean several files.",
           *           "order": 10,
           *           "source": "built-in",
           *           "file": null,
           *           "status": "findings",
           *           "reason": null,
           *           "exit_code": null,
           *           "duration_ms": 12,
           *           "degraded": [],
           *           "counts": {
           *             "error": 0,
           *             "warning": 1,
           *             "info": 0
           *           },
           *           "findings": [
           *             {
           *               "id": "broken_link-0f343b0931126a20",
           *               "code": "broken_link",
           *               "severity": "warning",
           *               "path": "House/Roof.md",
           *               "line": 7,
           *               "message": "[[Slates]] leads nowhere.",
           *               "fix": "Nothing has a name like it: make the note \"Slates.md\", or write \"Slates\" without a link."
           *             }
           *           ],
           *           "text": null,
           *           "stderr": ""
           *         }
           *       ],
           *       "not_checks": [],
           *       "markdown": "# Maintenance\n"
           *     }
           */
          'application/json': components['schemas']['MaintenanceRun'];
          'text/markdown': string;
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      500: components['responses']['InternalError'];
    };
  };
  runMaintenanceByPost: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description What was found */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "started_at": "2026-02-20T08:00:00.000Z",
           *       "duration_ms": 48,
           *       "counts": {
           *         "error": 0,
           *         "warning": 1,
           *         "info": 0
           *       },
           *       "could_not_run": 0,
           *       "degraded": [],
           *       "scripts": {
           *         "run": true,
           *         "reason": null,
           *         "confined": true
           *       },
           *       "checks": [
           *         {
           *           "name": "links",
           *           "title": "Links",
           *           "description": "Links that lead nowhere, and links that could mean several files.",
           *           "order": 10,
           *           "source": "built-in",
           *           "file": null,
           *           "status": "findings",
           *           "reason": null,
           *           "exit_code": null,
           *           "duration_ms": 12,
           *           "degraded": [],
           *           "counts": {
           *             "error": 0,
           *             "warning": 1,
           *             "info": 0
           *           },
           *           "findings": [
           *             {
           *               "id": "broken_link-0f343b0931126a20",
           *               "code": "broken_link",
           *               "severity": "warning",
           *               "path": "House/Roof.md",
           *               "line": 7,
           *               "message": "[[Slates]] leads nowhere.",
           *               "fix": "Nothing has a name like it: make the note \"Slates.md\", or write \"Slates\" without a link."
           *             }
           *           ],
           *           "text": null,
           *           "stderr": ""
           *         }
           *       ],
           *       "not_checks": [],
           *       "markdown": "# Maintenance\n"
           *     }
           */
          'application/json': components['schemas']['MaintenanceRun'];
          'text/markdown': string;
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      500: components['responses']['InternalError'];
    };
  };
  describeChecks: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The checks, by their order */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "scripts": {
           *         "run": true,
           *         "reason": null,
           *         "confined": true
           *       },
           *       "checks": [
           *         {
           *           "name": "links",
           *           "title": "Links",
           *           "description": "Links that lead nowhere, and links that could mean several files.",
           *           "order": 10,
           *           "source": "built-in",
           *           "file": null,
           *           "status": "described",
           *           "reason": null,
           *           "stderr": ""
           *         }
           *       ],
           *       "not_checks": [
           *         {
           *           "file": "deploy.py",
           *           "reason": "it does not describe itself"
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['DescribedChecks'];
          'text/plain': string;
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      500: components['responses']['InternalError'];
    };
  };
  propose: {
    parameters: {
      query?: {
        /** @description Check everything and answer what would change; change nothing, wait for no lock. */
        dry_run?: components['parameters']['DryRun'];
      };
      header?: {
        /**
         * @description With the operator's key: the agent whose call this is, with its rights and no others. Needed where the server has a
         *     policy. With an agent's own key it may be left out, and names nobody else.
         */
        'X-Vault-Agent'?: components['parameters']['Agent'];
        /** @description What asks for this change, for the records; a flow's name, say. */
        'X-Vault-Source'?: components['parameters']['Source'];
        /** @description The same as `idempotency_key` */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['Proposal'];
      };
    };
    responses: {
      /** @description What became of it, or what is similar */
      200: {
        headers: {
          ETag: components['headers']['NewETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json':
            | components['schemas']['ProposalShown']
            | components['schemas']['ProposalDone']
            | components['schemas']['ProposalTried'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      409: components['responses']['Locked'];
      500: components['responses']['InternalError'];
      503: components['responses']['NotReady'];
      507: components['responses']['InsufficientStorage'];
    };
  };
  listDiscards: {
    parameters: {
      query?: {
        /** @description At most this many entries. */
        limit?: number;
        /** @description `next_cursor` of the answer before, to go on where it ended. */
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The newest entries, or those below the cursor */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "entries": [
           *         {
           *           "n": 12,
           *           "t": "2026-11-30T12:00:00.000Z",
           *           "kind": "replaced",
           *           "agent": "claude",
           *           "path": "Facts/tea.md"
           *         },
           *         {
           *           "n": 11,
           *           "t": "2026-11-30T11:58:10.412Z",
           *           "kind": "discarded",
           *           "agent": "claude",
           *           "title": "Tea at four",
           *           "reason": "known already",
           *           "restored": "Facts/tea-at-four.md"
           *         }
           *       ],
           *       "next_cursor": "ZGlzY2FyZHM6MTE",
           *       "damaged": 0
           *     }
           */
          'application/json': components['schemas']['DiscardList'];
          'text/plain': string;
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      500: components['responses']['InternalError'];
    };
  };
  showDiscard: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The entry's number.
         * @example 11
         */
        n: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The entry, and the note that it became again */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "n": 11,
           *       "id": "6f1a4d0e-3a51-4c1e-9a44-5b8f6f7f1c11",
           *       "t": "2026-11-30T11:58:10.412Z",
           *       "kind": "discarded",
           *       "agent": "claude",
           *       "source": "chat 7",
           *       "candidate": {
           *         "title": "Tea at four",
           *         "type": "preference",
           *         "namespace": "Facts",
           *         "body": "At four.",
           *         "frontmatter": {}
           *       },
           *       "seen": [
           *         {
           *           "path": "Facts/tea.md",
           *           "etag": "8a4b6d0f",
           *           "title": "Tea",
           *           "body": "Tea at four.",
           *           "distance": 0.08,
           *           "bm25": -7.2,
           *           "read_only": false
           *         }
           *       ],
           *       "decision": {
           *         "action": "discard",
           *         "reason": "known already"
           *       },
           *       "restored": null
           *     }
           */
          'application/json': components['schemas']['Discard'];
          'text/plain': string;
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      500: components['responses']['InternalError'];
    };
  };
  restoreDiscard: {
    parameters: {
      query?: never;
      header?: {
        /** @description What asks for this change, for the records; a flow's name, say. */
        'X-Vault-Source'?: components['parameters']['Source'];
      };
      path: {
        /**
         * @description The entry's number.
         * @example 11
         */
        n: number;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "token": "mmQZ4kDT3vYbJ0vT6c6bVJ7m1cM9dV8y",
         *       "decision": {
         *         "action": "supersede",
         *         "target": "Facts/tea.md"
         *       }
         *     }
         */
        'application/json': components['schemas']['RestoreRequest'];
      };
    };
    responses: {
      /** @description It is a note again, or notes that say something similar were found */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ProposalShown'] | components['schemas']['ProposalDone'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      409: components['responses']['Locked'];
      500: components['responses']['InternalError'];
      503: components['responses']['NotReady'];
      507: components['responses']['InsufficientStorage'];
    };
  };
  consolidate: {
    parameters: {
      query?: never;
      header?: {
        /** @description What asks for this change, for the records; a flow's name, say. */
        'X-Vault-Source'?: components['parameters']['Source'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ConsolidateRequest'];
      };
    };
    responses: {
      /** @description The clusters, and what became of them */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "dry_run": false,
           *       "ceiling": 0.1,
           *       "cap": 5,
           *       "compared": 3204,
           *       "superseded": 12,
           *       "without_vector": {
           *         "total": 0,
           *         "first": []
           *       },
           *       "cross_namespace": {
           *         "total": 1,
           *         "first": [
           *           {
           *             "a": "Facts/tea.md",
           *             "b": "House/tea.md",
           *             "distance": 0.04
           *           }
           *         ]
           *       },
           *       "clusters": [
           *         {
           *           "namespace": "Facts",
           *           "members": [
           *             {
           *               "path": "Facts/tea again.md",
           *               "title": "tea again",
           *               "etag": "8a4b6d0f3a0e0c6d7e4cbb2f9f1f1f2b41d5f0d6f3c8b1e5a7d9c0b2e4f6a8c1"
           *             },
           *             {
           *               "path": "Facts/tea.md",
           *               "title": "tea",
           *               "etag": "41d5f0d6f3c8b1e5a7d9c0b2e4f6a8c18a4b6d0f3a0e0c6d7e4cbb2f9f1f1f2b"
           *             }
           *           ],
           *           "diameter": 0.04,
           *           "proposed": {
           *             "title": "Tea",
           *             "body": "At four, never later."
           *           },
           *           "path": "Facts/tea-2.md"
           *         }
           *       ],
           *       "merger_calls": 0,
           *       "remaining": 0,
           *       "unmarked": [],
           *       "errors": [],
           *       "reindex": "queued",
           *       "index_error": null,
           *       "degraded": []
           *     }
           */
          'application/json': components['schemas']['Consolidation'];
          'text/plain': string;
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      409: components['responses']['Locked'];
      500: components['responses']['InternalError'];
      503: components['responses']['NotReady'];
    };
  };
  wikiAppend: {
    parameters: {
      query?: {
        /** @description Check everything and answer what would change; change nothing, wait for no lock. */
        dry_run?: components['parameters']['DryRun'];
        /** @description `indexed`: answer once search finds the change by words; `indexed` in the answer says whether it does. */
        wait?: components['parameters']['Wait'];
        /** @description How long to wait for that, in seconds. */
        timeout?: components['parameters']['Timeout'];
      };
      header?: {
        /**
         * @description With the operator's key: the agent whose call this is, with its rights and no others. Needed where the server has a
         *     policy. With an agent's own key it may be left out, and names nobody else.
         */
        'X-Vault-Agent'?: components['parameters']['Agent'];
        /** @description What asks for this change, for the records; a flow's name, say. */
        'X-Vault-Source'?: components['parameters']['Source'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "slug": "pear-tree",
         *       "content": "The pear tree is pruned in February",
         *       "links": [
         *         "Ada Lovelace"
         *       ]
         *     }
         */
        'application/json': components['schemas']['WikiAppendRequest'];
      };
    };
    responses: {
      /** @description What became of the fact */
      200: {
        headers: {
          ETag: components['headers']['NewETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WikiAppended'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      409: components['responses']['Locked'];
      500: components['responses']['InternalError'];
      507: components['responses']['InsufficientStorage'];
    };
  };
  wikiIngest: {
    parameters: {
      query?: {
        /** @description Check everything and answer what would change; change nothing, wait for no lock. */
        dry_run?: components['parameters']['DryRun'];
      };
      header?: {
        /**
         * @description With the operator's key: the agent whose call this is, with its rights and no others. Needed where the server has a
         *     policy. With an agent's own key it may be left out, and names nobody else.
         */
        'X-Vault-Agent'?: components['parameters']['Agent'];
        /** @description What asks for this change, for the records; a flow's name, say. */
        'X-Vault-Source'?: components['parameters']['Source'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['WikiIngestRequest'];
      };
    };
    responses: {
      /** @description It is kept, was kept already, or in a dry run would be */
      200: {
        headers: {
          ETag: components['headers']['NewETag'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "status": "stored",
           *       "path": "Wiki/raw/Interview-with-Ada.txt",
           *       "etag": "8a4b6d0f3a0e0c6d7e4cbb2f9f1f1f2b41d5f0d6f3c8b1e5a7d9c0b2e4f6a8c1",
           *       "size": 34,
           *       "folders_made": [
           *         "Wiki",
           *         "Wiki/raw"
           *       ],
           *       "committed": {
           *         "state": "off"
           *       }
           *     }
           */
          'application/json': components['schemas']['WikiIngested'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      409: components['responses']['Locked'];
      500: components['responses']['InternalError'];
      507: components['responses']['InsufficientStorage'];
    };
  };
  mcp: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description With the operator's key: the agent whose call this is, with its rights and no others. Needed where the server has a
         *     policy. With an agent's own key it may be left out, and names nobody else.
         */
        'X-Vault-Agent'?: components['parameters']['Agent'];
        /** @description What asks for this change, for the records; a flow's name, say. */
        'X-Vault-Source'?: components['parameters']['Source'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "jsonrpc": "2.0",
         *       "id": 1,
         *       "method": "tools/list"
         *     }
         */
        'application/json': Record<string, never>;
      };
    };
    responses: {
      /** @description A JSON-RPC answer, or a stream of them */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': Record<string, never>;
          'text/event-stream': string;
        };
      };
      /** @description A notification was taken */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description No valid JSON-RPC request, as a JSON-RPC error; or a call that is refused before that */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] | components['schemas']['RpcError'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description The request is too long, as a JSON-RPC error */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RpcError'];
        };
      };
    };
  };
  mcpOnly: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description With the operator's key: the agent whose call this is, with its rights and no others. Needed where the server has a
         *     policy. With an agent's own key it may be left out, and names nobody else.
         */
        'X-Vault-Agent'?: components['parameters']['Agent'];
        /** @description What asks for this change, for the records; a flow's name, say. */
        'X-Vault-Source'?: components['parameters']['Source'];
      };
      path: {
        /**
         * @description Path of the note or folder that may be changed.
         * @example Garden
         */
        path: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "jsonrpc": "2.0",
         *       "id": 1,
         *       "method": "tools/list"
         *     }
         */
        'application/json': Record<string, never>;
      };
    };
    responses: {
      /** @description A JSON-RPC answer, or a stream of them */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': Record<string, never>;
          'text/event-stream': string;
        };
      };
      /** @description A notification was taken */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description No valid JSON-RPC request, as a JSON-RPC error; or a call that is refused before that */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] | components['schemas']['RpcError'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      /** @description The request is too long, as a JSON-RPC error */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RpcError'];
        };
      };
      500: components['responses']['InternalError'];
    };
  };
  health: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description 16 to 128 letters, digits, `-` or `_`. A server that keeps a record of itself (`server.json`) answers with
         *     the proof that it knows the secret in that record, so that a client need not show the key to find out.
         */
        'X-Vault-Challenge'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It does */
      200: {
        headers: {
          /** @description HMAC-SHA256 of the challenge under the record's secret, base64url */
          'X-Vault-Proof'?: string;
          [name: string]: unknown;
        };
        content: {
          'text/plain': 'ok';
        };
      };
    };
  };
  readiness: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Ready */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Status'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      500: components['responses']['InternalError'];
      /** @description Not ready; the body says why */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Status'];
        };
      };
    };
  };
  metrics: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The text exposition */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/plain': string;
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      500: components['responses']['InternalError'];
    };
  };
  reindex: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': {
          /**
           * @description Empty the index and build it anew
           * @default false
           */
          rebuild?: boolean;
        };
      };
    };
    responses: {
      /** @description The indexer was told, or will notice by itself */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {unknown} */
            status: 'queued' | 'deferred';
            detail: string;
          };
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
    };
  };
}
