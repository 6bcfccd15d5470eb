import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PUBLIC_LOG, type Row, TABLE } from '../app/access/route-table.ts'

const ACCOUNTS = readFileSync(join(import.meta.dirname, '../../docs/use/accounts.md'), 'utf8')
type Who = 'everyone' | 'signed in' | 'members' | 'admins' | 'operators'

/** `GET /v1/keys?workspace=` → `GET /v1/keys`; every part that is a name of something is `{}`. */
const shape = (route: string): string =>
  route
    .replace(/[[?].*$/, '')
    .split('/')
    .map((part) => (/^[:{]/.test(part) ? '{}' : part))
    .join('/')

/** Members leave a workspace by the route with which admins remove them. */
const LEAVES = 'DELETE /v1/members/{}'

/** Who may use a route, by what each actor gets. */
function whoMay({ request, expected: { anonymous, key, member, admin, stranger } }: Row): Who {
  if (shape(request) === LEAVES) return 'members'
  if (anonymous === member || key !== 403) return 'everyone'
  if (admin === 403) return 'operators'
  if (member === 403) return 'admins'
  return stranger === member ? 'signed in' : 'members'
}

/** The routes of a list of paths, each behind its methods: `GET, POST /v1/keys`. */
const routesOf = (list: string): string[] =>
  [...list.matchAll(/`([A-Z, ]+) (\/[^`]+)`/g)].flatMap(([, methods, path]) =>
    methods!.split(', ').map((method) => shape(`${method} ${path}`)),
  )

describe('the routes that docs/use/accounts.md lists', () => {
  const [section] = /^## The routes\n[\s\S]*/m.exec(ACCOUNTS)!
  const lists = [...section.matchAll(/^- \*\*([a-z ]+)\*\*[^:]*:\s([\s\S]+?)(?=\n- |\n\n)/gm)].map(
    ([, who, routes]) => ({ who: who!, routes: routesOf(routes!) }),
  )
  const ofApp = TABLE.filter(
    (row) => !PUBLIC_LOG.includes(row) && (row.expected.key === 403 || row.expected.anonymous === row.expected.member),
  )

  it('are all routes of the app', () => {
    const listed = lists.flatMap(({ routes }) => routes).sort()
    expect(listed).toEqual([...new Set(ofApp.map(({ request }) => shape(request)))].sort())
  })

  it.each(lists)('say who may use them: $who', ({ who, routes }) => {
    const may = ofApp.filter(({ request }) => routes.includes(shape(request))).map((row) => [row.request, whoMay(row)])
    expect(may.filter(([, group]) => group !== who)).toEqual([])
  })
})
