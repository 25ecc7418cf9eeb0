/**
 * How large to render a page for OCR. Danger: a page may claim to be 5 metres wide or a thousand times as tall as wide,
 * and a canvas of that size ends the process; so width, height and area are capped before anything is drawn.
 */

/** What tesseract is trained on; more costs time and finds no more. */
const OCR_DPI = 300;
const POINTS_PER_INCH = 72;
/** An A3 page at 300 dpi is 3508 × 4961 pixels. */
const MAX_SIDE_PIXELS = 5_000;
const MAX_PIXELS = 18_000_000;

/**
 * @param width page width in points @param height page height in points
 * @returns width to render at, in pixels; null when the page's size makes no sense
 */
export function renderWidth(width: number, height: number): number | null {
  if (!(Number.isFinite(width) && Number.isFinite(height) && width > 0 && height > 0)) return null;
  const scale = Math.min(
    OCR_DPI / POINTS_PER_INCH,
    MAX_SIDE_PIXELS / width,
    MAX_SIDE_PIXELS / height,
    Math.sqrt(MAX_PIXELS / (width * height)),
  );
  const pixels = Math.floor(width * scale);
  // Thinner than any line of text: rounding it up to a pixel would stretch the height past its cap.
  return pixels >= 1 && height * scale >= 1 ? pixels : null;
}
