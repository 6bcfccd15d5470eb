import type { z } from 'zod'
import type { AuditAction } from '../audit/schema.ts'
import type { Endpoint } from './endpoint.ts'

/**
 * Who may send a request: anyone (counted by address), anyone with the route knowing the signed-in user, signed-in users,
 * members of the workspace that is named, its admins, or operators of the installation. Readers are signed-in users, and
 * anyone where the pages are public.
 */
type Access = 'public' | 'visitor' | 'reader' | 'session' | 'member' | 'admin' | 'operator'

/** What a route takes and returns. Server and client both go by it. */
export type Contract = Endpoint & {
  access: Access
  /**
   * What the audit log records when it succeeded, with the parameters of the path as its subject. Absent where nothing
   * changes, and where the use case records it, and reads the sender's role again, itself; `by_the_route` where the
   * route records each change it makes.
   */
  audit?: AuditAction | 'by_the_route'
  query?: z.ZodObject
  body?: z.ZodType
  /** The texts of the body are only looked at, and may be such as PostgreSQL cannot store. */
  anyText?: true
  /** Absent: the answer has no body. */
  answer?: z.ZodType
  /** The answer is a file. */
  download?: true
  status: 200 | 201 | 202 | 204
  /** Bytes that a body may have; 16 KB when left out. */
  bodyLimit?: number
}

/** The names behind the colons of a path. */
type ParameterNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParameterNames<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

export type Params<C extends Contract> = { [name in ParameterNames<C['path']>]: string }
export type Query<C extends Contract> = C['query'] extends z.ZodType ? z.output<C['query']> : Record<string, never>
export type Body<C extends Contract> = C['body'] extends z.ZodType ? z.output<C['body']> : undefined
export type Answer<C extends Contract> = C['answer'] extends z.ZodType ? z.input<C['answer']> : undefined

/** Keeps the literal types of a contract. `npm run generate` writes the endpoints of the browser from contracts. */
export const contract = <
  const M extends Endpoint['method'],
  const P extends string,
  const C extends Omit<Contract, keyof Endpoint>,
>(
  method: M,
  path: P,
  given: C,
) => ({ method, path, ...given })
