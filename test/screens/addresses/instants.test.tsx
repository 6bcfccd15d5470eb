import '../light-dom.ts'
import { fireEvent, waitFor } from '@testing-library/dom'
import { beforeAll, expect, it } from 'vitest'
import { operatorScreens } from '../fixtures/operator-screens.ts'
import { addPublished } from '../fixtures/published.ts'
import type { Screen } from '../screen.tsx'

const { db, open } = operatorScreens()
beforeAll(() => addPublished(db.sql))

const asOfIn = (screen: Screen): string | null => new URL(screen.address(), 'http://h').searchParams.get('asOf')

/** Opens the choice of the instant, and moves its slider to the day before. */
async function showDayBefore(screen: Screen): Promise<Element> {
  await screen.press('As of now')
  const slider = await waitFor(() => document.querySelector<HTMLElement>('[role="slider"]')!)
  slider.focus()
  fireEvent.keyDown(slider, { key: 'ArrowLeft', code: 'ArrowLeft' })
  await waitFor(() => expect(asOfIn(screen)).not.toBeNull())
  return slider
}

it('a change of a document that is looked at as of an instant before it gives way to the version of then', async () => {
  const versions = await db.sql<{ id: string }[]>`select version_id as id from document_version order by 1`
  const [from, to] = versions.map(({ id }) => id)
  const screen = await open(`/documents/example/terms?from=${from}&to=${to}&view=text`)()
  await showDayBefore(screen)
  await screen.until("You're viewing")
  const { searchParams } = new URL(screen.address(), 'http://h')
  expect([...searchParams.keys()].sort()).toEqual(['asOf', 'view'])
  expect(screen.text()).toContain('The text recorded')
  screen.close()
})
