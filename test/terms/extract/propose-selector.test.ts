import { load } from 'cheerio'
import { describe, expect, it } from 'vitest'
import { proposeSelector } from '../../../src/terms/extract/propose-selector.ts'

/** What is proposed for the element with `data-text`. */
function proposed(body: string): string | undefined {
  const $ = load(`<html><body>${body}</body></html>`)
  return proposeSelector($, $('[data-text]').get(0)!)
}

describe('the selector that is proposed for an element', () => {
  it.each<[why: string, body: string, selector: string | undefined]>([
    ['its id before its role', '<main data-text id="terms" role="document" class="legal"></main>', '#terms'],
    [
      'its role where its id has a digit',
      '<main data-text id="t2e" role="document" class="legal"></main>',
      '[role=document]',
    ],
    ['its tag where its role is short', '<main data-text role="m" class="legal"></main>', 'main'],
    [
      'a class where there are more of its tag',
      '<p></p><p data-text class="x_1 ab legal-text last"></p>',
      'p.legal-text',
    ],
    [
      'its second class where others have the first',
      '<p class="legal"></p><p data-text class="legal last"></p>',
      'p.last',
    ],
    ['the element around it', '<p></p><div id="page"><p data-text></p></div>', '#page > p'],
    [
      'the third around it',
      '<i><b><u><p></p></u></b></i><i id="page"><b><u><p data-text></p></u></b></i>',
      '#page > b > u > p',
    ],
    [
      'none of the fourth around it',
      '<i><b><u><s><p></p></s></u></b></i><i id="page"><b><u><s><p data-text></p></s></u></b></i>',
      undefined,
    ],
    ['none where the page has two', '<p data-text></p><p></p>', undefined],
    ['a class of an element whose tag has a colon', '<x:doc data-text class="legal"></x:doc>', '.legal'],
    [
      'any element around it whose tag has a colon',
      '<p></p><i id="page"><x:doc><p data-text></p></x:doc></i>',
      '#page > * > p',
    ],
  ])('is %s', (_, body, selector) => {
    expect(proposed(body)).toBe(selector)
  })

  it('finds that element alone', () => {
    const $ = load('<body><main><div><p class="first"></p><p class="last"></p></div></main><p class="last"></p></body>')
    for (const element of $('main, div, p').toArray().slice(0, 4)) {
      const selector = proposeSelector($, element)
      expect($(selector ?? 'none').toArray(), selector).toEqual(selector ? [element] : [])
    }
  })
})
