import '../light-dom.ts'
import { fireEvent, waitFor } from '@testing-library/dom'
import { beforeAll, describe, expect, it } from 'vitest'
import { saveGroup } from '../../../src/aliases/save-group.ts'
import { seedProviders } from '../../support/prices.ts'
import { daysAgo, operatorScreens } from '../fixtures/operator-screens.ts'
import { addPublished } from '../fixtures/published.ts'
import { rendered, type Screen } from '../screen.tsx'

const { db, open } = operatorScreens()
let group: string
beforeAll(async () => {
  await seedProviders(db.sql, daysAgo(32), [{ provider: 'acme' }])
  const members = ['cheaper', 'new'].map((resource) => ({ provider: 'acme', resource }))
  await saveGroup(db.sql, { name: 'pairs', members, actor: 'ada', at: daysAgo(31) })
  await addPublished(db.sql)
  group = (await db.sql<{ id: string }[]>`select group_id as id from alias_group`)[0]!.id
})

const main = (): Element => document.querySelector('main')!
/** Lets nothing arrive of what is requested with this in its address, until this is called. */
function holdBack(part: string): { waiting: () => number; release: () => void } {
  const { fetch } = globalThis
  const held: (() => void)[] = []
  globalThis.fetch = ((input: string, init?: RequestInit) => {
    const answered = () => fetch(input, init)
    return input.includes(part) ? new Promise<void>((resolve) => held.push(resolve)).then(answered) : answered()
  }) as typeof fetch
  return {
    waiting: () => held.length,
    release: () => {
      globalThis.fetch = fetch
      for (const go of held) go()
    },
  }
}

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

describe('what someone uses stays under their hand', () => {
  const chosen = encodeURIComponent(JSON.stringify([['acme', 'cheaper']]))
  const pages = {
    changes: () => '/',
    prices: () => '/prices',
    'a model': () => '/prices/acme/cheaper',
    'a group': () => `/compare/${group}`,
    'a comparison': () => `/compare?of=${chosen}`,
    documents: () => '/documents',
    'a document': () => '/documents/example/terms',
  }

  it.each(Object.entries(pages))('%s as of another day', async (name, path) => {
    const screen = await open(path())()
    const title = main().querySelector('h1')!.textContent
    const told = main().textContent!.length
    const held = holdBack('asOf=')
    const slider = await showDayBefore(screen)
    await waitFor(() => expect(held.waiting()).toBeGreaterThan(0))
    await rendered()
    expect(screen.focused()).toContain('Day of the recorded time')
    expect(document.activeElement).toBe(slider)
    // Changes have their rows' shape meanwhile; all others are what they were.
    if (name !== 'changes') {
      expect(main().textContent!.length).toBeGreaterThanOrEqual(told)
      expect(screen.text()).toMatch(/^\(aloud\) loading$/m)
      expect(main().querySelector('[aria-busy="true"]')).not.toBeNull()
    }
    held.release()
    await screen.until("You're viewing")
    expect(main().querySelector('[aria-busy="true"]')).toBeNull()
    expect([main().querySelector('h1')!.textContent, document.activeElement === slider]).toEqual([title, true])
    await screen.press('Now')
    expect(screen.focused()).toBe('[As of now]')
    screen.close()
  })

  it('the way back to now leads to the heading', async () => {
    const screen = await open('/documents?asOf=2026-01-01T00:00:00Z')()
    await screen.press('Back to now')
    expect([screen.address(), screen.focused()]).toEqual(['/documents', 'Documents'])
    screen.close()
  })

  it('a version of a document that is chosen in its timeline', async () => {
    const screen = await open('/documents/example/terms')()
    const versions = [...main().querySelectorAll<HTMLElement>('[class*="Timeline"] button')]
    const first = versions.at(-1)!
    expect([versions.length, first.getAttribute('aria-current')]).toEqual([2, null])
    const held = holdBack('to=')
    first.focus()
    fireEvent.click(first)
    await waitFor(() => expect(held.waiting()).toBe(1))
    await rendered()
    expect(document.activeElement).toBe(first)
    expect(first.getAttribute('aria-current')).toBe('true')
    expect(screen.text()).toMatch(/^\(aloud\) loading$/m)
    held.release()
    await screen.until('The text recorded')
    expect(document.activeElement).toBe(first)
    expect(screen.text()).not.toContain('loading')
    screen.close()
  })
})
