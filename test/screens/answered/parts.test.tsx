import '../light-dom.ts'
import { MantineProvider, Table, TextInput } from '@mantine/core'
import { fireEvent, waitFor } from '@testing-library/dom'
import { Suspense, useState } from 'react'
import { expect, it, onTestFinished, vi } from 'vitest'
import { connection } from '../../../src/web/api/connection/connection.ts'
import { missingPart } from '../../../src/web/api/connection/missing-part.ts'
import { useTyped } from '../../../src/web/components/hooks/use-typed.ts'
import { lazyPart } from '../../../src/web/components/loading/lazy-part.ts'
import { LoadingRows } from '../../../src/web/components/loading/loading-rows.tsx'
import { rendered, show, useScreens } from '../screen.tsx'
import { shownText } from '../shown-text.ts'

useScreens()

/** A search field, and what it puts into the address; the address becomes what the test says. */
function typing() {
  const put: (string | undefined)[] = []
  let setAddress: (q: string | undefined) => void = () => {}
  function Search() {
    const [q, setQ] = useState<string>()
    setAddress = setQ
    const [typed, type] = useTyped(q, (sought) => put.push(sought))
    return <TextInput value={typed} onChange={({ currentTarget }) => type(currentTarget.value)} />
  }
  show(
    <MantineProvider env="test">
      <Search />
    </MantineProvider>,
  )
  const input = () => document.querySelector('input')!
  return {
    put,
    shown: () => input().value,
    type: async (text: string) => {
      fireEvent.change(input(), { target: { value: text } })
      await rendered()
    },
    arrive: async (q: string | undefined) => {
      setAddress(q)
      await rendered()
    },
  }
}

it('what is typed goes into the address when typing pauses, and is not undone by its own arrival there', async () => {
  const search = typing()
  await rendered()
  await search.type('g')
  await search.type('gp')
  expect([search.shown(), search.put]).toEqual(['gp', []])
  await waitFor(() => expect(search.put).toEqual(['gp']))
  await search.type('gpt')
  await search.arrive('gp')
  await waitFor(() => expect(search.put).toEqual(['gp', 'gpt']))
  expect(search.shown()).toBe('gpt')
  await search.arrive('gpt')
  await search.type('')
  await waitFor(() => expect(search.put).toEqual(['gp', 'gpt', undefined]))
})

it('spaces around what is typed stay in the field, and are not put into the address', async () => {
  const search = typing()
  await rendered()
  await search.type(' gp ')
  await waitFor(() => expect(search.put).toEqual(['gp']))
  await search.arrive('gp')
  expect(search.shown()).toBe(' gp ')
})

it('what comes from the address replaces what was typed', async () => {
  const search = typing()
  await rendered()
  await search.arrive('from a link')
  await waitFor(() => expect(search.shown()).toBe('from a link'))
  await search.arrive(undefined)
  await waitFor(() => expect(search.shown()).toBe(''))
})

it('nothing is read aloud of the rows of a table that is loading', async () => {
  show(
    <MantineProvider env="test">
      <Table>
        <Table.Tbody>
          <LoadingRows columns={3} />
        </Table.Tbody>
      </Table>
    </MantineProvider>,
  )
  await rendered()
  expect(document.querySelectorAll('tr').length).toBeGreaterThan(1)
  expect(shownText(document.body)).toBe('')
})

const found = { default: () => <p>The part.</p> }
const showPart = (load: () => Promise<typeof found>) => {
  const Part = lazyPart(load)
  show(
    <main>
      <p>The page.</p>
      <Suspense fallback={<p>Waits.</p>}>
        <Part />
      </Suspense>
    </main>,
  )
}
const shown = () => document.querySelector('main')!.textContent

it('a part of a page that is gone is left out, and that is noticed', async () => {
  const { fetch } = globalThis
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  const notice = vi.spyOn(missingPart, 'notice').mockReturnValue()
  onTestFinished(() => {
    for (const one of [warn, notice]) one.mockRestore()
    globalThis.fetch = fetch
  })
  globalThis.fetch = async () => new Response()
  const gone = new Error('It is gone.')
  showPart(() => Promise.reject(gone))
  await waitFor(() => expect(shown()).toBe('The page.'))
  expect(notice).toHaveBeenCalledTimes(1)
  expect(warn.mock.calls).toEqual([[gone]])
})

it('a part of a page that cannot be loaded without a connection comes when the connection is back', async () => {
  const { fetch, setTimeout } = globalThis
  const notice = vi.spyOn(missingPart, 'notice').mockReturnValue()
  let goOn: (() => void) | undefined
  // The wait is ended by the test.
  globalThis.setTimeout = ((work: () => void, wait: number) => {
    if (wait === 3_000) goOn = work
    else return setTimeout(work, wait)
  }) as typeof setTimeout
  onTestFinished(() => {
    notice.mockRestore()
    connection.works()
    Object.assign(globalThis, { fetch, setTimeout })
  })
  globalThis.fetch = () => Promise.reject(new TypeError('Failed to fetch'))
  let isBack = false
  showPart(async () => {
    if (isBack) return found
    throw new Error('It did not arrive.')
  })
  await waitFor(() => expect(goOn).toBeDefined())
  await rendered()
  expect(shown()).toContain('Waits.')
  isBack = true
  goOn!()
  await waitFor(() => expect(shown()).toBe('The page.The part.'))
  expect(notice).not.toHaveBeenCalled()
})
