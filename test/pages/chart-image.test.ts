import { crc32, inflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { chartImage, type Step } from '../../src/pages/chart-image.ts'

/** Reads a PNG: its chunks, each with the sum that it should have. */
function chunksOf(image: Buffer): { type: string; data: Buffer }[] {
  expect(image.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n')
  const chunks = []
  for (let at = 8; at < image.length; ) {
    const length = image.readUInt32BE(at)
    const body = image.subarray(at + 4, at + 8 + length)
    expect(image.readUInt32BE(at + 8 + length)).toBe(crc32(body))
    chunks.push({ type: body.toString('latin1', 0, 4), data: body.subarray(4) })
    at += 12 + length
  }
  return chunks
}

/** The colours of an image by their numbers: in a column or a row, each run of one colour with where it begins. */
function drawn(lines: Step[][], until: number) {
  const pixels = inflateSync(chunksOf(chartImage(lines, until)).find(({ type }) => type === 'IDAT')!.data)
  expect(pixels.length).toBe(1_201 * 630)
  for (let y = 0; y < 630; y++) expect(pixels[y * 1_201]).toBe(0)
  const colour = (x: number, y: number) => pixels[y * 1_201 + 1 + x]!
  const runs = (count: number, at: (n: number) => number) =>
    Array.from({ length: count }, (_, n) => n).flatMap((n) => (n === 0 || at(n) !== at(n - 1) ? [[n, at(n)]] : []))
  return {
    colour,
    column: (x: number) => runs(630, (y) => colour(x, y)),
    row: (y: number) => runs(1_200, (x) => colour(x, y)),
  }
}
const GRID = [0, 0, 60, 1, 62, 0, 188, 1, 190, 0, 315, 1, 317, 0, 443, 1, 445, 0, 570, 1, 572, 0]

describe('the picture of prices', () => {
  it('is a PNG of 1200 by 630 with a palette of eight colours', () => {
    const chunks = chunksOf(chartImage([[{ at: 0, price: 1 }]], 9))
    expect(chunks.map(({ type }) => type)).toEqual(['IHDR', 'PLTE', 'IDAT', 'IEND'])
    const [header, palette, , end] = chunks.map(({ data }) => data)
    expect([header!.length, header!.readUInt32BE(0), header!.readUInt32BE(4)]).toEqual([13, 1_200, 630])
    expect([...header!.subarray(8)]).toEqual([8, 3, 0, 0, 0])
    expect([palette!.length, end!.length]).toEqual([24, 0])
  })

  it('has five lines of a grid between margins of 60, and nothing where nothing was priced', () => {
    for (const lines of [[], [[]], [[{ at: 5, price: null }]]]) {
      const { column, row } = drawn(lines, 9)
      for (const x of [60, 600, 1_139]) expect(column(x).flat()).toEqual(GRID)
      for (const x of [0, 59, 1_140, 1_199]) expect(column(x).flat()).toEqual([0, 0])
      expect(row(60).flat()).toEqual([0, 0, 60, 1, 1_140, 0])
    }
  })

  it('has a price as a step of six pixels from its instant to the next one, as high as it is of the highest', () => {
    const steps = [
      { at: 100, price: 2 },
      { at: 150, price: 4 },
      { at: 175, price: null },
      { at: 190, price: 1 },
    ]
    const { column, row } = drawn([steps], 200)
    // 510 pixels are 4.6, which is 15 % more than the highest: 4 is 443 pixels, 2 is 222, and 1 is 111.
    expect(row(350).flat()).toEqual([0, 0, 60, 2, 606, 0])
    expect(row(130).flat()).toEqual([0, 0, 600, 2, 876, 0])
    expect(row(461).flat()).toEqual([0, 0, 1_032, 2, 1_146, 0])
    expect(row(250).flat()).toEqual([0, 0, 600, 2, 606, 0])
    expect(column(300).flat()).toEqual([
      0, 0, 60, 1, 62, 0, 188, 1, 190, 0, 315, 1, 317, 0, 348, 2, 354, 0, 443, 1, 445, 0, 570, 1, 572, 0,
    ])
    expect(column(602).flat()).toEqual([0, 0, 60, 1, 62, 0, 127, 2, 354, 0, 443, 1, 445, 0, 570, 1, 572, 0])
    expect(column(950).flat()).toEqual(GRID)
    expect(column(1_033).flat().slice(-8)).toEqual([459, 2, 465, 0, 570, 1, 572, 0])
  })

  it('begins with the first of several prices, has the colour of each, and the first one over the others', () => {
    const price = (n: number, at = 0) => [{ at, price: n }]
    const { colour, row } = drawn(
      [price(10, 50), price(20), price(30), price(40), price(50), price(60), price(999)],
      100,
    )
    // 510 pixels are 69: the seventh is not drawn.
    const heights = [10, 20, 30, 40, 50, 60].map((n) => Math.round(570 - (n / 69) * 510))
    expect(heights.map((y) => colour(1_000, y + 3))).toEqual([2, 3, 4, 5, 6, 7])
    expect(row(heights[0]! + 3).flat()).toEqual([0, 0, 600, 2, 1_146, 0])
    const same = drawn([price(10), price(10), price(10)], 100)
    expect(same.colour(600, Math.round(570 - 510 / 1.15) + 3)).toBe(2)
  })

  it('has what costs nothing at the bottom, a single instant at the left, and nothing of later ones beyond its edge', () => {
    expect(
      drawn([[{ at: 0, price: 0 }]], 1)
        .column(600)
        .flat()
        .slice(-4),
    ).toEqual([570, 2, 576, 0])
    expect(
      drawn([[{ at: 7, price: 1 }]], 7)
        .row(130)
        .flat(),
    ).toEqual([0, 0, 60, 2, 66, 0])
    expect(
      drawn([[{ at: 0, price: 1 }]], 1)
        .row(130)
        .flat(),
    ).toEqual([0, 0, 60, 2, 1_146, 0])
    const late = [
      { at: 0, price: 1 },
      { at: 200, price: 1 },
    ]
    expect(drawn([late], 100).row(130).flat()).toEqual([0, 0, 60, 2])
    expect(drawn([late], 100).column(20).flat()).toEqual([0, 0])
  })
})
