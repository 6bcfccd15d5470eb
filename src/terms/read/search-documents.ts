import type { Sql } from '../../lib/sql.ts'
import { findDocuments } from '../store/document-store.ts'

const DOCUMENTS = 5

/** Returns documents whose title or name holds a text. */
export const searchDocuments = async (
  sql: Sql,
  text: string,
): Promise<{ provider: string; document: string; title: string }[]> => [...(await findDocuments(sql, text, DOCUMENTS))]
