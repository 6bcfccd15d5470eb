import { describe, expect, it } from 'vitest'
import { derivedMutants } from './derive/derived.ts'
import { placesOf } from './derive/places.ts'
import { sqlMutations } from './derive/sql-mutations.ts'
import { withSwitches } from './derive/switches.ts'
import { trialsOf } from './derive/trials.ts'

const changed = (text: string): string[] =>
  sqlMutations(text, text).map((one) => text.slice(0, one.start) + one.text + text.slice(one.end))

describe('mutants that are derived from SQL', () => {
  it('leave out each condition, turn it, and join it otherwise', () => {
    expect(changed('select 1.0 from a where b = $1 and c < d')).toEqual([
      'select 1.0 from a where true and c < d',
      'select 1.0 from a where b <> $1 and c < d',
      'select 1.0 from a where b = $1 or c < d',
      'select 1.0 from a where b = $1 and true',
      'select 1.0 from a where b = $1 and c <= d',
    ])
  })

  it('turn an order, take it away, and take its last column away', () => {
    expect(changed('select a from b order by c desc, d limit 5')).toEqual([
      'select a from b  limit 5',
      'select a from b order by c asc, d limit 5',
      'select a from b order by c desc limit 5',
      'select a from b order by c desc, d ',
    ])
  })

  it('take away locks, assignments, defaults and what happens at a conflict, and write another status', () => {
    expect(changed('select a from b for update of b skip locked')).toEqual(['select a from b '])
    expect(changed("update a set b = 'done', c = coalesce(d, e)")).toEqual([
      'update a set  c = coalesce(d, e)',
      "update a set b = 'done'",
      "update a set b = 'another', c = coalesce(d, e)",
      "update a set b = 'done', c = (d)",
    ])
    expect(changed('insert into a (b) values (1.5) on conflict (b) do nothing returning b')).toEqual([
      'insert into a (b) values (1.5)  returning b',
    ])
  })
})

describe('mutants that are derived from code', () => {
  const CODE = `
export async function work(db, list, id) {
  await note(list)
  const [row] = await db\`select a from b where c = \${list.filter(Boolean)} order by \${db\`d\`}\`
  return row ?? list.length > 3 ? row : id
}`

  it('run as the code was while none is switched on, and as one mutant when it is', async () => {
    let id = 0
    const places = placesOf('work.ts', CODE)
    const switches = places.map((place) => ({
      ...place,
      alternatives: place.mutations.map((one) => ({ ...one, id: ++id })),
    }))
    const code = withSwitches(CODE, switches).replace('export', 'return')
    const outcome = async (mutant: number): Promise<string> => {
      const said: string[] = []
      const tag = (parts: string[], ...values: unknown[]) =>
        parts.reduce((all, part, n) => `${all}${part}${values[n] ?? ''}`, '')
      const db = (parts: string[], ...values: unknown[]) => {
        const text = tag(parts, ...values)
        if (text.includes('from')) said.push(text)
        return text.includes('from') ? [] : text
      }
      Object.assign(globalThis, { mutant: (one: number) => one === mutant })
      const work = new Function('note', code)((list: unknown[]) => said.push(`noted ${list.length}`))
      said.push(String(await work(db, [1, 0], 'none')))
      Reflect.deleteProperty(globalThis, 'mutant')
      return said.join('; ')
    }
    const sound = 'noted 2; select a from b where c = 1 order by d; none'
    expect(await outcome(0)).toBe(sound)
    const outcomes: string[] = []
    for (let one = 1; one <= id; one++) outcomes.push(await outcome(one))
    expect(outcomes.filter((one) => one === sound).length).toBeLessThan(4)
    expect(outcomes).toContain('select a from b where c = 1 order by d; none')
    expect(outcomes).toContain('noted 2; select a from b where c <> 1 order by d; none')
    expect(outcomes).toContain('noted 2; select a from b where c = 1,0 order by d; none')
    expect(outcomes).toContain('noted 2; select a from b where c = 1 ; none')
  })
})

it('mutants of a page leave out each part of a list, each attribute but those of looks, and each entry', () => {
  const page = `const Page = ({ one, ...rest }) => <Link exact to="/prices" c="dimmed" search={{ one, two: 2 }} {...rest} key={[one]} />`
  const mutants = placesOf('page.tsx', page).flatMap(({ mutations, ...place }) =>
    mutations.map((one) => withSwitches(page, [{ ...place, alternatives: [{ ...one, id: 7 }] }])),
  )
  const changed = mutants.flatMap(
    (code) => /\S+=\{[^ ]*\(?globalThis.mutant\?\.\(7\) \? .*? : [^)]*\)\}?/.exec(code)?.[0] ?? [],
  )
  expect(changed).toEqual([
    'exact={(globalThis.mutant?.(7) ? (undefined) : true)}',
    'to={(globalThis.mutant?.(7) ? (undefined) : "/prices")}',
    'search={(globalThis.mutant?.(7) ? (undefined) : { one, two: 2 })}',
    'search={(globalThis.mutant?.(7) ? ({ two: 2 }) : { one, two: 2 })}',
    'search={(globalThis.mutant?.(7) ? ({ one }) : { one, two: 2 })}',
    'key={(globalThis.mutant?.(7) ? (undefined) : [one])}',
    'key={(globalThis.mutant?.(7) ? ([]) : [one])}',
  ])
})

it('mutants of a stored function are tried by the tests that call it themselves', () => {
  const [mutant] = derivedMutants(['src/database/functions/resource_names.sql'])
  const unseen = { hash: '', ms: 1, tests: [], byHooks: [] }
  const files = { 'test/prices/history/stored-functions.test.ts': unseen, 'test/lib/decimal.test.ts': unseen }
  const tried = trialsOf(mutant!, { keys: [], files } as never).map(({ file }) => file)
  expect(tried).toEqual(['test/prices/history/stored-functions.test.ts'])
})
