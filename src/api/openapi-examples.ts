import type { SwaggerTransformObject } from '@fastify/swagger'
import { createJsonSchemaTransformObject } from 'fastify-type-provider-zod'

/** Real answers, shortened; a test checks them against the schemas. */
export const EXAMPLES: Record<string, unknown> = {}

const components = createJsonSchemaTransformObject({})

type Json = { [key: string]: unknown }

/** Adds the shared schemas (once: the library lists each as an input too) and a real example to each answer. */
export const withExamples: SwaggerTransformObject = (document) => {
  const whole = components(document) as unknown as Json & { components: { schemas: Json }; paths: Json }
  for (const name of Object.keys(whole.components.schemas)) {
    if (name.endsWith('Input')) delete whole.components.schemas[name]
  }
  return whole as ReturnType<SwaggerTransformObject>
}
