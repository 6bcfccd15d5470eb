import { defineConfig } from 'vitest/config'
import suite from '../../vitest.config.ts'

/** Records the histories again: docs/deliveries.md says when, and how. */
export default defineConfig({ test: { ...suite.test, include: ['test/histories/record.ts'] } })
