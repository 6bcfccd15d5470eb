import { generateEndpoints } from './endpoints.ts'
import { generateHolds } from './holds.ts'
import { generateRoutesList } from './routes-list.ts'
import type { GeneratedFile } from './schema.ts'

/** Every file that follows from others. */
export const generateFiles = async (): Promise<GeneratedFile[]> => [
  ...(await generateHolds()),
  ...(await generateEndpoints()),
  await generateRoutesList(),
]
