import { expect, it } from 'vitest'
import { resumedText } from '../../src/web/pages/webhooks/resumed-text.ts'

it.each([
  [undefined, 'Resumed. What was not sent while it was paused stays unsent.'],
  [0, 'Resumed. Nothing was left unsent while it was paused.'],
  [1, 'Resumed. 1 delivery that was not sent while it was paused goes out in the next delivery run.'],
  [2, 'Resumed. 2 deliveries that were not sent while it was paused go out in the next delivery run.'],
])('A resume that resends %s says so', (resent, text) => {
  expect(resumedText(resent)).toBe(text)
})
