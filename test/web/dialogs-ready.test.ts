import { expect, it } from 'vitest'
import { setDialogsReady, whenDialogsReady } from '../../src/web/components/loading/when-dialogs-ready.ts'

it('Dialogs that are asked for before they are loaded open once, when they are', () => {
  const opened: string[] = []
  whenDialogsReady(() => opened.push('first'))
  whenDialogsReady(() => opened.push('second'))
  expect(opened).toEqual([])
  setDialogsReady()
  setDialogsReady()
  whenDialogsReady(() => opened.push('third'))
  expect(opened).toEqual(['first', 'second', 'third'])
})
