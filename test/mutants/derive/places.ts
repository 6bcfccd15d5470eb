import { parseSync } from 'vite'
import { codePlace, type Node, type Place } from './code-mutations.ts'
import { sqlMutations } from './sql-mutations.ts'

/** What is no expression of a running program, or must stay as it is. */
const NOT_ENTERED = /^(TS(?!AsExpression|NonNull|Satisfies)|Import|ExportAll)/

/** How large, where and in which colour something is, and what is loaded early: no test sees that without a layout. */
const LOOKS =
  /^(?:[mp][trblxy]?|[wh]|ma[wh]|mi[wh]|c|bg|f[fwzs]|l[ht]|t[adt]|gap|size|span|cols|height|width|style|styles|variant|color|order|radius|\w*[sS]pacing|stroke\w*|columns|min\w*Width|[cxy][12xy]?|d|r[xy]?|offset|z|class\w+|justify|align|with\w*Border|with(?:Arrow|Shadow)|wrap|shadow|pos|position|bottom|truncate|underline|inherit|(?:visible|hidden|name)From|lineClamp|block|padding|flex|display|direction|fill|autosize|(?:min|max)?[rR]ows|rowHeight|lines|grow|fullWidth|stickyHeader|highlightOnHover|viewBox|shapeRendering|circle|bulletSize|lineWidth|offsetScrollbars|right\w*Width|levelOffset|colors|(?:dot|bar|tooltip|[xy]Axis)Props|gridAxis|curveType|preload|data-.*)$/

/** Returns the expressions of a file that small bugs are put into, the outer ones before those inside. */
export function placesOf(file: string, text: string): Place[] {
  const { program, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]!.message}`)
  const places: Place[] = []
  visit(program as unknown as Node, undefined, (node, isConstant) => {
    const place = node.type === 'TaggedTemplateExpression' ? sqlPlace(node, text) : codePlace(node, text)
    if (place && !isConstant) places.push(place)
  })
  return places.sort((a, b) => a.start - b.start || b.end - a.end)
}

function sqlPlace(node: Node, text: string): Place | undefined {
  const { quasis, start, end } = node.quasi as Node & { quasis: Node[] }
  let sql = '§'.repeat(end - start)
  // Each part of the text comes with the signs around it.
  for (const part of quasis) {
    const [from, to] = [part.start + 1, part.end - (part.tail ? 1 : 2)]
    sql = sql.slice(0, from - start) + text.slice(from, to) + sql.slice(to - start)
  }
  const found = sqlMutations(` ${sql.slice(1, -1)} `, text.slice(start, end))
  const mutations = found.map((one) => ({ ...one, start: one.start + start, end: one.end + start }))
  return mutations.length === 0 ? undefined : { start: node.start, end: node.end, isStatement: false, mutations }
}

const nameOf = (attribute: Node): string => String((attribute.name as { name?: string }).name)

/** Calls `see` for each node inside of functions; what is decided while a module loads cannot be switched. */
function visit(node: Node, parent: Node | undefined, see: (node: Node, isConstant: boolean) => void, depth = 0): void {
  if (NOT_ENTERED.test(node.type)) return
  if (node.type === 'JSXAttribute' && LOOKS.test(nameOf(node))) return
  const inside = /Function/.test(node.type) ? depth + 1 : depth
  if (!isFixed(node, parent)) see(node, depth === 0)
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? value : [value])
      if (child && typeof child === 'object' && typeof (child as Node).type === 'string')
        visit(child as Node, node, see, inside)
}

/** Keys, and what is in the head of a loop: turned, it may never end. */
const isFixed = (node: Node, parent: Node | undefined): boolean =>
  (parent?.type === 'Property' && parent.key === node) ||
  /^(While|DoWhile|For)Statement$/.test(parent?.type ?? '') ||
  parent?.type === 'JSXAttribute'
