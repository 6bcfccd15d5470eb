import { setTimeout as sleep } from 'node:timers/promises'
import type { Connection } from '@temporalio/client'
import { OperatorError } from '../lib/errors.ts'
import { DELIVERY_STATUS, WEBHOOK_ID } from '../webhooks/search-attributes-schema.ts'

/** What an operator can find deliveries by in the Temporal UI; all of type Keyword. Written by the workflows. */
export const SEARCH_ATTRIBUTES = [WEBHOOK_ID, DELIVERY_STATUS].map((key) => key.name)

/** INDEXED_VALUE_TYPE_KEYWORD of Temporal's API. */
const KEYWORD = 2
const KNOWN_WITHIN_MS = 20_000

type Operator = Pick<Connection, 'operatorService'>

/**
 * Registers what is missing and makes sure the server knows all of them: a workflow that writes an unknown one would
 * be retried silently forever.
 * @throws OperatorError with the commands to do it by hand, where the server does not let us.
 */
export async function ensureSearchAttributes(connection: Operator, namespace: string): Promise<void> {
  const deadline = Date.now() + KNOWN_WITHIN_MS
  let missing = await missingAttributes(connection, namespace)
  if (missing.length === 0) return
  await connection.operatorService
    .addSearchAttributes({ namespace, searchAttributes: Object.fromEntries(missing.map((name) => [name, KEYWORD])) })
    .catch((cause) => {
      throw new OperatorError(
        `Temporal does not let us register search attributes (${(cause as Error).message}). ${byHand(missing, namespace)}`,
        { cause },
      )
    })
  while (missing.length > 0 && Date.now() < deadline) {
    await sleep(100)
    missing = await missingAttributes(connection, namespace)
  }
  if (missing.length > 0)
    throw new OperatorError(`Temporal does not know the search attributes yet. ${byHand(missing, namespace)}`)
}

async function missingAttributes({ operatorService }: Operator, namespace: string): Promise<string[]> {
  const { customAttributes } = await operatorService.listSearchAttributes({ namespace })
  const known = customAttributes ?? {}
  const wrong = SEARCH_ATTRIBUTES.find((name) => known[name] !== undefined && known[name] !== KEYWORD)
  if (wrong)
    throw new OperatorError(
      `Temporal's search attribute ${wrong} in namespace ${namespace} is not of type Keyword. Use another namespace.`,
    )
  return SEARCH_ATTRIBUTES.filter((name) => known[name] === undefined)
}

const byHand = (missing: string[], namespace: string): string =>
  `Register by hand: ${missing.map((name) => `temporal operator search-attribute create --namespace ${namespace} --name ${name} --type Keyword`).join('; ')}`
