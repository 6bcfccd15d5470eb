import { useForm } from '@mantine/form'
import { useEffect, useState } from 'react'
import { dropDraft } from '../../../api/connection/drafts.ts'
import type { Webhook } from '../../../api/webhooks.ts'
import { useDraft, useKeptDraft } from '../../../components/hooks/use-draft.ts'
import { mergedValues, NEW_WEBHOOK, valuesOf, type WebhookValues } from './form-values.ts'

/** What is typed, and the saved values that it began with. */
type Draft = { values: WebhookValues; base: WebhookValues }

/**
 * The form of a webhook. What is typed outlives a reload, and what someone else saves meanwhile: it is shown beside it,
 * and named in `changedElsewhere`.
 */
export function useWebhookValues(draft: string, webhook: Webhook | undefined, given: Partial<WebhookValues> = {}) {
  const kept = useKeptDraft<Draft>(draft)
  const [saved, setSaved] = useState(() => ({
    values: webhook ? valuesOf(webhook) : { ...NEW_WEBHOOK, ...given },
    updatedAt: webhook?.updatedAt,
  }))
  const [opened] = useState(() => kept?.base && mergedValues(kept.base, kept.values, saved.values))
  const [changedElsewhere, setChanged] = useState<string[]>(opened?.changed ?? [])
  const form = useForm<WebhookValues>({ initialValues: opened?.values ?? saved.values })
  const isChanged = JSON.stringify(form.values) !== JSON.stringify(saved.values)
  useDraft<Draft>(draft, { values: form.values, base: saved.values }, isChanged)

  const begin = (from: Webhook) => setSaved({ values: valuesOf(from), updatedAt: from.updatedAt })
  useEffect(() => {
    if (!webhook || saved.updatedAt === undefined || webhook.updatedAt <= saved.updatedAt) return
    const { values, changed } = mergedValues(saved.values, form.getValues(), valuesOf(webhook))
    form.setValues(values)
    if (changed.length > 0) setChanged(changed)
    begin(webhook)
  })

  return {
    form,
    isChanged,
    isKept: opened !== undefined && isChanged,
    changedElsewhere,
    updatedAt: saved.updatedAt,
    /** What was sent is shown as it was saved, which may be without a space; what was typed since stays. */
    done: (sent: WebhookValues, now: Webhook) => {
      dropDraft(draft)
      setChanged([])
      form.setValues(mergedValues(sent, form.getValues(), valuesOf(now)).values)
      begin(now)
    },
    discard: () => {
      setChanged([])
      form.setValues(saved.values)
      form.clearErrors()
    },
  }
}
