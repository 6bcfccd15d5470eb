import { z } from 'zod'
import { slug } from '../catalog/schema.ts'

/** One entry of sources.json: where prices or documents are read, how, and how often. */
export const sourceDeclaration = z.object({
  source: slug,
  format: z.string(),
  url: z.string().optional(),
  /** Bundled snapshots to use where the URL cannot be reached: the format's own embedded default. */
  bundled: z.boolean().optional(),
  intervalSeconds: z.number().int().min(60).default(3600),
  /** Whether this source's word decides for its providers, or stands beside another's. */
  primary: z.boolean().default(true),
  options: z.record(z.string(), z.unknown()).default({}),
})
export type SourceDeclaration = z.infer<typeof sourceDeclaration>
