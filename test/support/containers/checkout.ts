/**
 * `docker compose up` as somebody types it in a fresh checkout: the compose file, beside it an `.env` made from
 * .env.example, and nothing of it in the environment. Danger: testcontainers hands on all of this process's environment,
 * which would hide what `.env` lacks, so compose is called by itself here.
 */
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../free-port.ts';
import { createTempFolder } from '../temp-folder.ts';
import { openEngine } from './engine.ts';
import { IMAGES, ROOT } from './images.ts';
import { KEY, makeVault, type Project, type ProjectOptions, projectName } from './project.ts';
import { createCaller } from './vault-caller.ts';

const OWNER = [1000, 1000] as const;

/**
 * @param settings what is set in `.env` beside the folder, the key, and what this machine needs: its images and a free port
 * @throws Error with compose's words when it does not come up; everything is taken down then
 */
export async function startCheckout(
  vault: NonNullable<ProjectOptions['vault']>,
  settings: Readonly<Record<string, string>>,
): Promise<Project> {
  const folder = await createTempFolder('checkout');
  const made = await makeVault(folder, vault, OWNER);
  const port = await freePort();
  const machine = {
    VAULT_MCP_PORT: `127.0.0.1:${port}`,
    API_IMAGE: IMAGES.api,
    INDEXER_IMAGE: IMAGES.indexer,
    ...(process.env.REDIS_IMAGE && { REDIS_IMAGE: process.env.REDIS_IMAGE }),
  };
  await copyFile(join(ROOT, 'docker-compose.yml'), join(folder.path, 'docker-compose.yml'));
  const example = await readFile(join(ROOT, '.env.example'), 'utf8');
  const given = { VAULT_DIR: made.vaultPath, VAULT_MCP_API_KEY: KEY, ...machine, ...settings };
  await writeFile(join(folder.path, '.env'), filledIn(example, given));

  const { PATH = '', HOME = '' } = process.env;
  const engine = openEngine({ name: projectName(), folder: folder.path, files: [], variables: { PATH, HOME } });
  const down = async () => {
    await engine.compose('down', '--volumes', '--timeout', '0');
    await folder.remove();
  };
  try {
    await engine.compose('up', '--detach', '--no-build');
  } catch (error) {
    await down();
    throw error;
  }
  return { ...made, ...createCaller(`http://127.0.0.1:${port}`, KEY), ...engine, down };
}

/** The example with its own lines for these variables filled in, commented out or not; others come at the end. */
function filledIn(example: string, variables: Readonly<Record<string, string>>): string {
  let text = example;
  for (const [name, value] of Object.entries(variables)) {
    const line = new RegExp(`^(?:# )?${name}=.*$`, 'm');
    text = line.test(text) ? text.replace(line, `${name}=${value}`) : `${text}${name}=${value}\n`;
  }
  return text;
}
