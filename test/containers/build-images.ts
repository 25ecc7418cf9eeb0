/** Builds the images once, before the first container test. Danger: a run without an engine must fail, not skip. */
import { buildImages, withContainers } from '../support/containers/images.ts';

export default async function setup(): Promise<void> {
  if (!withContainers) return;
  const started = performance.now();
  await buildImages();
  console.log(`images built in ${Math.round((performance.now() - started) / 1000)} s`);
}
