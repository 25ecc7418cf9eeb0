/** What `gate calibrate` found, as a person reads it. Pure. */
import type { Calibration, Ceiling, Measure } from '@vault-mcp/api/memory/calibrate/calibrate';
import { histogramLines } from '@vault-mcp/api/memory/calibrate/histogram';
import { MIN_NOTES } from '@vault-mcp/api/memory/calibrate/suggest';
import { counted } from './output.ts';

export interface CalibrationReport extends Calibration {
  /** The model whose vectors these are; null when it is not the configured one, or there are none. */
  readonly model: string | null;
  readonly configured_model: string;
  /** The settings that would put the suggestion in force. */
  readonly set: Readonly<Record<string, string>>;
  /** Why it may be better to wait, or what is left out. */
  readonly remarks: readonly string[];
}

/** The settings of what is suggested. @param ofConfigured whether the vectors are the configured embedder's */
export function settingsOf({ distance, bm25 }: Calibration, ofConfigured: boolean): Record<string, string> {
  return {
    ...(distance.suggested === null || !ofConfigured ? {} : { GATE_DISTANCE_CEILING: `${distance.suggested.ceiling}` }),
    ...(bm25.suggested === null ? {} : { GATE_BM25_CEILING: `${bm25.suggested.ceiling}` }),
  };
}

/** What a reader of the suggestion should know first. */
export function remarksOf(
  { space, notes, with_vectors, sampled }: Calibration,
  { ofConfigured, configured }: { ofConfigured: boolean; configured: string },
): string[] {
  const remarks: string[] = [];
  if (sampled < MIN_NOTES) {
    remarks.push(`Too few notes to suggest anything: there are ${sampled}, and it takes ${MIN_NOTES}.`);
  }
  if (space === null) {
    remarks.push('The index has no vectors yet, so that words alone were measured.');
  } else if (!ofConfigured) {
    remarks.push(`The vectors are not those of ${configured}, which is configured: no distance is suggested for it.`);
  } else if (with_vectors < notes) {
    remarks.push(`${counted(notes - with_vectors, 'note')} of ${notes} had no vector yet and no distance.`);
  }
  return remarks;
}

export function calibrationText(report: CalibrationReport): string {
  const { sampled, notes, model, distance, bm25, set, remarks } = report;
  const settings = Object.entries(set).map(([name, value]) => `${name}=${value}`);
  return [
    `Looked at ${sampled} of ${counted(notes, 'note')}${model === null ? '' : `, with the vectors of ${model}`}.`,
    ...remarks,
    ...measureLines('Distance of meaning: 0 is the same', distance, 2, {
      far: 'pairs of notes',
      near: 'notes and the nearest other one',
      same: 'halves of one note',
    }),
    ...measureLines('Rank of words: lower is nearer', bm25, 1, {
      far: 'notes and the twentieth that their words find',
      near: 'notes and the best other one',
      same: 'halves of one note',
    }),
    '',
    ...(settings.length === 0 ? ['Nothing to set.'] : ['To use what is suggested, set:', '', ...settings]),
  ].join('\n');
}

type Meanings = Readonly<Record<'far' | 'near' | 'same', string>>;

function measureLines(heading: string, measure: Measure, digits: number, meanings: Meanings): string[] {
  const { bins, suggested, in_force: inForce, values } = measure;
  if (bins.length === 0) return [];
  const counts = (['far', 'near', 'same'] as const).map((name) => `${name}: ${values[name]} ${meanings[name]}`);
  return [
    '',
    heading,
    counts.join('; '),
    ...histogramLines(bins, suggested?.ceiling ?? null, digits),
    ...(suggested === null ? [] : [`Suggested ${sharesOf(suggested)}`]),
    ...(inForce === null ? ['None is in force.'] : [`In force ${sharesOf(inForce)}`]),
  ];
}

function sharesOf({ ceiling, admits }: Ceiling): string {
  const shares = (['far', 'near', 'same'] as const).flatMap((name) => {
    const share = admits[name];
    return share === null ? [] : [`${percent(share)} of ${name}`];
  });
  return `is ${ceiling}, which lets through ${shares.join(', ')}.`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(share > 0 && share < 0.0995 ? 1 : 0)} %`;
}
