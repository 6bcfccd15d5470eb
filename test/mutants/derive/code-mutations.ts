import type { Mutation } from './sql-mutations.ts'

/** A node of the syntax tree, as far as it matters here. */
export type Node = { type: string; start: number; end: number; [key: string]: unknown }
/**
 * An expression, and the small bugs that it can have. `isStatement`: nothing uses its value. `around`: what makes an
 * attribute of JSX of it, which is written otherwise.
 */
export type Place = {
  start: number
  end: number
  isStatement: boolean
  mutations: Mutation[]
  around?: { before: string; otherwise: string; after: string }
}

const TURNED: Record<string, string> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
}
const JOINED: Record<string, string> = { '&&': '||', '||': '&&' }
/** What a list goes through, left out. */
const STEPS = /^(sort|toSorted|filter|reverse|toReversed|slice|trim|toLowerCase)$/

/** Returns the small bugs of one node, or undefined where it has none. */
export function codePlace(node: Node, text: string): Place | undefined {
  if (node.type === 'JSXAttribute') return attributePlace(node, text)
  const mutations = mutationsOf(node, text)
  if (mutations.length === 0) return undefined
  const at = node.type === 'ExpressionStatement' ? (node.expression as Node) : (tested(node) ?? node)
  return { start: at.start, end: at.end, isStatement: node.type === 'ExpressionStatement', mutations }
}

/** An attribute, left out. */
function attributePlace({ value, end }: Node, text: string): Place | undefined {
  const place = (at: Pick<Node, 'start' | 'end'>, around?: Place['around']): Place => ({
    start: at.start,
    end: at.end,
    isStatement: false,
    mutations: [{ start: at.start, end: at.end, text: 'undefined' }],
    ...(around && { around }),
  })
  if (!value) return place({ start: end, end }, { before: '={', otherwise: 'true', after: '}' })
  const { type, expression, ...at } = value as Node
  const raw = text.slice(at.start, at.end)
  if (type === 'JSXExpressionContainer') return raw === '{undefined}' ? undefined : place(expression as Node)
  return /[\\\n&]/.test(raw) ? undefined : place(at, { before: '{', otherwise: raw, after: '}' })
}

const tested = (node: Node): Node | undefined => (node.type === 'IfStatement' ? (node.test as Node) : undefined)

function mutationsOf(node: Node, text: string): Mutation[] {
  const whole = (other: string): Mutation => ({ start: node.start, end: node.end, text: other })
  const of = (part: unknown): string => text.slice((part as Node).start, (part as Node).end)
  if (node.type === 'IfStatement') {
    const { start, end } = node.test as Node
    return [{ start, end, text: `!(${of(node.test)})` }]
  }
  if (node.type === 'ConditionalExpression')
    return [whole(`!(${of(node.test)}) ? ${of(node.consequent)} : ${of(node.alternate)}`)]
  if (node.type === 'LogicalExpression') {
    const operator = node.operator as string
    if (operator === '??') return [whole(of(node.left))]
    return [
      whole(`(${of(node.left)}) ${JOINED[operator]} (${of(node.right)})`),
      whole(of(node.left)),
      whole(of(node.right)),
    ]
  }
  if (node.type === 'BinaryExpression') {
    const other = TURNED[node.operator as string]
    const isText = [node.left, node.right].some(
      (side) => /^(String)?Literal$|Template/.test((side as Node).type) && typeof (side as Node).value !== 'number',
    )
    if (!other || (/^[+*/-]$/.test(node.operator as string) && isText)) return []
    return [whole(`(${of(node.left)}) ${other} (${of(node.right)})`)]
  }
  if (node.type === 'ExpressionStatement') return isCall(node.expression as Node) ? leftOut(node) : []
  if (node.type === 'CallExpression') {
    const callee = node.callee as Node
    const name = callee.type === 'MemberExpression' ? of(callee.property) : ''
    // Within `a?.b.c`, brackets would change where it ends.
    return STEPS.test(name) && !of(callee).includes('?.') ? [whole(of(callee.object))] : []
  }
  if (node.type === 'ObjectExpression') return withoutEach(node.properties as Node[])
  if (node.type === 'ArrayExpression')
    return withoutEach((node.elements as (Node | null)[]).filter((one) => one !== null))
  if (node.type === 'Literal' && typeof node.value === 'boolean') return [whole(String(!node.value))]
  if (node.type === 'Literal' && typeof node.value === 'number') return [whole(String(node.value + 1))]
  return []
}

/** Leaves out one part of a list at a time, with the comma beside it. */
const withoutEach = (parts: Node[]): Mutation[] =>
  parts.map(({ start, end }, n) => {
    const [before, after] = [parts[n - 1], parts[n + 1]]
    return { start: after || !before ? start : before.end, end: after?.start ?? end, text: '' }
  })

const leftOut = ({ expression }: Node): Mutation[] => {
  const { start, end } = expression as Node
  return [{ start, end, text: 'undefined' }]
}

function isCall(node: Node): boolean {
  const call =
    node.type === 'AwaitExpression' || (node.type === 'UnaryExpression' && node.operator === 'void')
      ? (node.argument as Node)
      : node
  return call.type === 'CallExpression' && (call.callee as Node).type !== 'Super'
}
