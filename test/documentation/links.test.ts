import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')
const tracked = (...patterns: string[]): string[] =>
  execFileSync('git', ['ls-files', ...patterns], { cwd: ROOT, encoding: 'utf8' })
    .trim()
    .split('\n')

const PAGES = tracked('*.md').filter((file) => existsSync(join(ROOT, file)))
const withoutBlocks = (text: string): string => text.replace(/^ *```[\s\S]*?^ *```/gm, '')

/** The anchors that GitHub gives the headings of a page. */
const anchorsOf = (page: string): string[] =>
  [...withoutBlocks(read(page)).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-'),
  )

/** What is wrong with a link to `target`, a path from the root with or without `#anchor`. */
function problemOf(target: string): string | undefined {
  const [path = '', anchor] = target.split('#')
  if (!existsSync(join(ROOT, path))) return 'does not exist'
  if (anchor && path.endsWith('.md') && !anchorsOf(path).includes(anchor)) return 'has no such heading'
  return undefined
}

const problems = (links: [file: string, target: string][]): string[] =>
  links.flatMap(([file, target]) => {
    const problem = problemOf(target)
    return problem ? [`${file}: ${target} ${problem}`] : []
  })

it('every link of a page leads to a file and a heading that exist', () => {
  const links = PAGES.flatMap((page) =>
    [...withoutBlocks(read(page)).matchAll(/\]\((?!https?:|mailto:|<)([^)\s]+)\)/g)].map(
      ([, link]): [string, string] => [
        page,
        link!.startsWith('#') ? page + link : normalize(join(dirname(page), link!)),
      ],
    ),
  )
  expect(links.length).toBeGreaterThan(150)
  expect(problems(links)).toEqual([])
})

it('every page that code, commands and alerts name exists, with its heading', () => {
  const files = tracked('src', 'ops', 'workflows', 'activities').filter((file) =>
    /\.(tsx?|ya?ml|service|sql)$/.test(file),
  )
  const named = files.flatMap((file) =>
    [...read(file).matchAll(/(?<![\w./-])docs\/[\w/-]+\.md(?:#[\w-]+)?/g)].map(([target]): [string, string] => [
      file,
      target,
    ]),
  )
  expect(named.length).toBeGreaterThan(40)
  expect(problems(named)).toEqual([])
})
