import { describe, expect, it } from 'vitest'
import { boundedComparer } from '../../src/terms/compare/changes-rules.ts'
import { varyingWords } from '../../src/terms/volatile/varying-words-rules.ts'

/** The words of a sentence that vary, as they are written, when a place had these texts before. */
function varying(sentence: string, remembered: string[]): string[] | undefined {
  const words = sentence.split(' ')
  return varyingWords(sentence, remembered, boundedComparer())?.map((index) => words[index]!)
}
const counted = (...numbers: number[]) => numbers.map((number) => `So far ${number} people have read this page`)

describe('the words of a sentence that differ at nearly every fetch', () => {
  it('are a number of which three were seen', () => {
    expect(varying('So far 99 people have read this page', counted(1, 2, 3))).toEqual(['99'])
    expect(varying('So far 99 people have read this page', counted(1, 2, 2))).toBeUndefined()
  })

  it('are only the numbers that vary', () => {
    const texts = [1, 2, 3].map((number) => `Of 500 people ${number} have read this page`)
    expect(varying('Of 500 people 9 have read this page', texts)).toEqual(['9'])
    expect(varying('Of 700 people 9 have read this page', texts)).toEqual(['9'])
  })

  it('are several numbers in their order', () => {
    const texts = [1, 2, 3].map((number) => `Here ${number} people read and ${number + 10} people wrote today`)
    expect(varying('Here 7 people read and 8 people wrote today', texts)).toEqual(['7', '8'])
  })

  it('are none where other words vary too', () => {
    const texts = ['red', 'green', 'blue'].map((color) => `The colour of the day is ${color} here`)
    expect(varying('The colour of the day is pink here', texts)).toBeUndefined()
    const mixed = ['1', '2', 'blue'].map((word) => `The colour of the day is ${word} here`)
    expect(varying('The colour of the day is 3 here', mixed)).toBeUndefined()
    const both = [1, 2, 3].map((n) => `The ${n} colours of the day are ${['red', 'green', 'blue'][n - 1]} here`)
    expect(varying('The 4 colours of the day are pink here', both)).toBeUndefined()
  })

  it('are a number and the words that come and go with it', () => {
    const texts = ['1 person', '2 people', '3 visitors'].map((who) => `So far ${who} liked all of this page`)
    expect(varying('So far 9 guests liked all of this page', texts)).toEqual(['9', 'guests'])
  })

  it('are none of a sentence that has fewer than four words in common with the others', () => {
    const page = (end: string) => [1, 2, 3].map((number) => `${number} people ${end}`)
    expect(varying('9 people read it', page('read it'))).toBeUndefined()
    expect(varying('9 people read it now', page('read it now'))).toEqual(['9'])
  })

  it('are none of a sentence of which fewer than half the words are in common with the others', () => {
    const more = (count: number) => ` ${Array.from({ length: count }, (_, i) => `w${'abcdef'[i]}`).join(' ')}`
    const texts = [1, 2, 3].map((number) => `${number} people read it now`)
    expect(varying(`9 people read it now${more(3)}`, texts)).toEqual(['9'])
    expect(varying(`9 people read it now${more(4)}`, texts)).toBeUndefined()
  })

  it('are none when nothing was seen before, or nothing differs', () => {
    expect(varying('So far 99 people have read this page', [])).toBeUndefined()
    expect(varying('So far 1 people have read this page', counted(1, 1, 1))).toBeUndefined()
  })

  it('are none when the comparison costs too much', () => {
    expect(varyingWords('So far 4 people have read this page', counted(1, 2, 3), () => undefined)).toBeUndefined()
  })

  it('are the whole date where its day varies', () => {
    const dated = (...days: string[]) => days.map((day) => `This page was made on ${day} for all readers`)
    const seen = dated('2026 01 05', '2026 01 06', '2026 01 07')
    expect(varying('This page was made on 2026 01 08 for all readers', seen)).toEqual(['2026', '01', '08'])
    expect(varying('This page was made on 2026 02 03 for all readers', seen)).toEqual(['2026', '02', '03'])
    const long = dated('12345 01 05', '12345 01 06', '12345 01 07')
    expect(varying('This page was made on 12345 01 08 for all readers', long)).toEqual(['01', '08'])
  })

  it('are at the beginning and at the end of a sentence too', () => {
    const texts = [1, 2, 3].map((number) => `${number} people have read this page ${number}`)
    expect(varying('8 people have read this page 9', texts)).toEqual(['8', '9'])
  })
})
