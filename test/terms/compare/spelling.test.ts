import { describe, expect, it } from 'vitest'
import { inAmericanSpelling, inOneSpelling } from '../../../src/terms/language/spelling-rules.ts'
import { classify } from './read.ts'

const PAIRS = `organisation organization, recognise recognize, realised realized, analyse analyze, analysing analyzing, colour color,
  behavioural behavioral, honour honor, neighbouring neighboring, data-centre data-center, centres centers, Theatre Theater, licence license,
  licences licenses, defence defense, offence offense, practice practise, cancelled canceled, labelling labeling, traveller traveler,
  amongst among, whilst while, programme program, judgement judgment, fulfil fulfill, fulfilment fulfillment`

describe('a word in British or American spelling', () => {
  it.each(PAIRS.split(',').map((pair) => pair.trim().split(' ') as [string, string]))(
    '%s is %s',
    (british, american) => {
      expect(inAmericanSpelling(british)).toBe(inAmericanSpelling(american))
    },
  )

  it.each([
    ['advice', 'advise'],
    ['four', 'for'],
    ['hour', 'hor'],
    ['device', 'devise'],
    ['program', 'programmed'],
    ['called', 'caled'],
    ['price', 'prize'],
    ['principal', 'principle'],
  ])('%s is not %s', (one, other) => {
    expect(inAmericanSpelling(one)).not.toBe(inAmericanSpelling(other))
  })

  it.each([
    ['évènement', 'événement'],
    ['procèderons', 'procéderons'],
    ['organisation', 'organization'],
  ])('%s is %s for a comparison, in French too', (one, other) => {
    expect(inOneSpelling(one)).toBe(inOneSpelling(other))
    expect(inOneSpelling('modifié')).not.toBe(inOneSpelling('modifie'))
  })

  it('makes no change of a document, but the words beside it do', () => {
    const british = 'Our organisation may revoke the licence of a data centre.'
    const american = 'Our organization may revoke the license of a Data Center.'
    expect(classify(british, american)).toBe('cosmetic')
    expect(classify(british, american.replace('may', 'will'))).toBe('substantive')
    expect(classify(british, american.replace('revoke', 'revise'))).not.toBe('cosmetic')
  })
})
