import { useLocation } from '@tanstack/react-router'
import { signInFor } from '../../search.ts'
import { PAGE_GROUPS, type PageGroup } from '../shell/pages.ts'
import { useWorkspace } from '../shell/use-workspace.ts'
import type { pageActions } from './page-actions.ts'
import { useActions, useColorSchemes, useComparisons } from './use-actions.ts'
import { type CommandGroup, type Target, useCommand } from './use-command.ts'
import { type FoundCommands, useFound } from './use-found.ts'

/**
 * Returns what can be opened or done under a text: pages and actions by their names at once, the rest as the service
 * finds it.
 * @param paused the text when the typing paused last
 * @param onPage what the page offers that was open before the palette
 */
export type UseCommands = (query: string, paused: string, onPage: ReturnType<typeof pageActions>) => FoundCommands

const COMPARE = { to: '/compare', label: 'Compare' }
const REFERENCE = { to: '/docs', label: 'API reference' }
const OWN_PAGES = [
  { to: '/workspaces', label: 'Workspaces' },
  { to: '/account', label: 'Account and sessions' },
]

/** For signed-in users. */
export const useMemberCommands: UseCommands = (query, paused, onPage) => {
  const { account, workspaces } = useWorkspace()
  const text = textOf(query)
  const { groups: found, ...state } = useFound(text === '' ? '' : paused.trim(), workspaces.length > 1)
  const named = useNamed(text, onPage, [
    ...pagesOf(PAGE_GROUPS.filter(({ isForOperators }) => !isForOperators || account.operator)),
    COMPARE,
    REFERENCE,
    ...OWN_PAGES,
  ])
  const actions = useActions(text !== '').filter(({ label }) => label.toLowerCase().includes(text))
  const comparisons = useComparisons(text)
  return {
    groups: filled([
      ...named,
      { label: 'Actions', commands: actions },
      ...found,
      { label: 'Compare at every seller', commands: comparisons },
    ]),
    ...state,
  }
}

/** For visitors of public pages. */
export const useVisitorCommands: UseCommands = (query, paused, onPage) => {
  const text = textOf(query)
  const { groups: found, ...state } = useFound(text === '' ? '' : paused.trim(), false)
  const signIn = { ...signInFor(useLocation()), label: 'Sign in' }
  const pages = [...pagesOf(PAGE_GROUPS.slice(0, 1)), COMPARE, REFERENCE, signIn]
  const named = useNamed(text, onPage, pages)
  const actions = useColorSchemes().filter(({ label }) => label.toLowerCase().includes(text))
  return { groups: filled([...named, { label: 'Actions', commands: actions }, ...found]), ...state }
}

const textOf = (query: string): string => query.trim().toLowerCase()
type NamedPage = Target & { label: string }
const pagesOf = (groups: PageGroup[]): NamedPage[] =>
  groups.flatMap(({ pages }) => pages.map(({ to, label }) => ({ to, label })))
const filled = (groups: CommandGroup[]): CommandGroup[] => groups.filter(({ commands }) => commands.length > 0)

/** What the open page offers, and pages, by their names. */
function useNamed(text: string, onPage: ReturnType<typeof pageActions>, pages: NamedPage[]): CommandGroup[] {
  const command = useCommand()
  const isNamed = ({ label }: { label: string }) => label.toLowerCase().includes(text)
  return [
    {
      label: 'On this page',
      commands: onPage.map(({ label, run }, n) => ({ id: `on page ${n}`, label, run })).filter(isNamed),
    },
    { label: 'Pages', commands: pages.filter(isNamed).map(({ label, ...target }) => command(label, target)) },
  ]
}
