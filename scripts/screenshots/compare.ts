import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';

/** Returns the differing screenshots of two folders: the number of differing pixels, or the folder that lacks one. */
export async function differingScreenshots(one: string, other: string, executablePath: string): Promise<string[]> {
  const [mine, theirs] = await Promise.all([picturesIn(one), picturesIn(other)]);
  const found: string[] = [];
  const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
  try {
    const page = await browser.newPage();
    for (const name of new Set([...mine, ...theirs])) {
      if (!mine.includes(name)) found.push(`${name}: only in ${other}`);
      else if (!theirs.includes(name)) found.push(`${name}: only in ${one}`);
      else {
        const [left, right] = await Promise.all([readFile(join(one, name)), readFile(join(other, name))]);
        if (!left.equals(right)) {
          const pixels = await pixelsApart(page, left, right);
          if (pixels > 0) found.push(`${name}: ${pixels} pixels differ`);
        }
      }
    }
  } finally {
    await browser.close();
  }
  return found;
}

const picturesIn = async (folder: string) => (await readdir(folder)).filter((name) => name.endsWith('.png')).sort();

/**
 * Counts differing pixels in the browser, which decodes PNG. Returns infinity if the sizes differ. Ignores a difference
 * of up to 2 of 255 per channel: rounded corners vary by one, which is invisible.
 */
function pixelsApart(page: Page, left: Buffer, right: Buffer): Promise<number> {
  return page.locator('html').evaluate(
    async (html, pictures) => {
      const { createImageBitmap, OffscreenCanvas } = html.ownerDocument.defaultView;
      const [one, other] = await Promise.all(
        pictures.map(async (base64): Promise<Drawn> => {
          const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
          const bitmap = await createImageBitmap(new Blob([bytes]));
          const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
          canvas.drawImage(bitmap, 0, 0);
          return canvas.getImageData(0, 0, bitmap.width, bitmap.height);
        }),
      );
      if (!one || !other || one.width !== other.width || one.height !== other.height) return Number.POSITIVE_INFINITY;
      let apart = 0;
      for (let pixel = 0; pixel < one.data.length; pixel += 4) {
        const shades = (at: number) => Math.abs((one.data[at] ?? 0) - (other.data[at] ?? 0));
        if (Math.max(shades(pixel), shades(pixel + 1), shades(pixel + 2)) > 2) apart++;
      }
      return apart;
    },
    [left.toString('base64'), right.toString('base64')],
  );
}

interface Drawn {
  width: number;
  height: number;
  data: Uint8ClampedArray;
}
