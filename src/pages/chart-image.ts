import { crc32, deflateSync } from 'node:zlib'

/** A price that holds from an instant on; null from when nothing is served. */
export type Step = { at: number; price: number | null }

const WIDTH = 1_200
const HEIGHT = 630
const MARGIN = 60
const LINE = 6
const GRID_LINES = 4
/** White, light gray, the colour of the app, and those of further lines: the palette of the image. */
const PALETTE = Buffer.from([
  255, 255, 255, 226, 230, 233, 11, 110, 79, 28, 99, 214, 196, 84, 12, 112, 72, 190, 176, 38, 92, 90, 100, 108,
]) // biome-ignore format: three numbers a colour
const [PAPER, GRID, FIRST_INK] = [0, 1, 2] as const
/** As many lines have colours of their own. */
const MOST_LINES = PALETTE.length / 3 - FIRST_INK

/** Returns prices as steps in a PNG image, the size that previews of links have. It has no text: that is beside it. */
export function chartImage(lines: Step[][], until: number): Buffer {
  const shown = lines.slice(0, MOST_LINES)
  const pixels = Buffer.alloc(WIDTH * HEIGHT, PAPER)
  const fill = (x: number, y: number, width: number, height: number, colour: number) => {
    for (let row = y; row < y + height; row++)
      pixels.fill(colour, row * WIDTH + x, row * WIDTH + Math.min(WIDTH, x + width))
  }
  for (let line = 0; line <= GRID_LINES; line++)
    fill(MARGIN, Math.round(MARGIN + (line * (HEIGHT - 2 * MARGIN)) / GRID_LINES), WIDTH - 2 * MARGIN, 2, GRID)
  const from = Math.min(until, ...shown.flatMap((steps) => steps[0]?.at ?? until))
  const highest = Math.max(...shown.flat().map(({ price }) => price ?? 0), Number.MIN_VALUE) * 1.15
  const x = (at: number) => Math.round(MARGIN + ((at - from) / Math.max(1, until - from)) * (WIDTH - 2 * MARGIN))
  const y = (price: number) => Math.round(HEIGHT - MARGIN - (price / highest) * (HEIGHT - 2 * MARGIN))
  const draw = (steps: Step[], ink: number) => {
    for (const [n, { at, price }] of steps.entries()) {
      if (price === null) continue
      const before = steps[n - 1]?.price ?? price
      const [top, bottom] = [Math.min(y(price), y(before)), Math.max(y(price), y(before))]
      fill(x(at), top, LINE, bottom - top + LINE, ink)
      fill(x(at), y(price), x(steps[n + 1]?.at ?? until) - x(at) + LINE, LINE, ink)
    }
  }
  // The first is drawn last, over the others.
  for (const [n, steps] of [...shown.entries()].reverse()) draw(steps, FIRST_INK + n)
  return png(pixels)
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/** Eight bits a pixel, each the number of a colour in the palette. */
const FORMAT = [8, 3, 0, 0, 0]

function png(pixels: Buffer): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(WIDTH, 0)
  header.writeUInt32BE(HEIGHT, 4)
  header.set(FORMAT, 8)
  // Each line begins with the number of its filter: none.
  const lines = Buffer.alloc((WIDTH + 1) * HEIGHT)
  for (let row = 0; row < HEIGHT; row++) pixels.copy(lines, row * (WIDTH + 1) + 1, row * WIDTH, row * WIDTH + WIDTH)
  const parts = [chunk('IHDR', header), chunk('PLTE', PALETTE), chunk('IDAT', deflateSync(lines)), chunk('IEND')]
  return Buffer.concat([SIGNATURE, ...parts])
}

function chunk(type: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
