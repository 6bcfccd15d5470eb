import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { usePageData } from '../../api/use-page-data.ts'
import { type Choices, choicesQuery, createWebhook, webhooksQuery } from '../../api/webhooks.ts'
import { TextLink } from '../../components/links.tsx'
import { FormLoading } from '../../components/loading/form-loading.tsx'
import { Page } from '../../components/page.tsx'
import { useWorkspace } from '../../components/shell/use-workspace.ts'
import { MAX_NAME_CHARACTERS } from '../../limits.ts'
import { WebhookForm } from './form/webhook-form.tsx'

const route = getRouteApi('/signed-in/webhooks/new')

type About = { provider?: string; resource?: string; document?: string; group?: string }

/** Returns a name for a webhook about these, in the words of the pages that lead here. */
function nameFor({ provider, resource, document, group }: About, { providers, groups }: Choices): string {
  const seller = providers.find((one) => one.provider === provider)
  if (!provider) return `${groups.find(({ id }) => id === group)?.name ?? 'Group'} at every seller`
  const title = seller?.documents.find((one) => one.document === document)?.title ?? document
  return `${resource ?? title ?? 'Everything'} ${resource ? 'at' : 'of'} ${seller?.name ?? provider}`
}

/** A new webhook. A page's Watch button fills in what it is about. */
export function NewWebhook() {
  const { workspaceId } = useWorkspace().workspace!
  const search = route.useSearch()
  const { resource, provider, document, group } = search
  const choices = usePageData(choicesQuery).data
  const owned = useQuery(webhooksQuery(workspaceId)).data
  const navigate = useNavigate()
  const given = {
    ...(provider && { scope: 'named' as const, providers: [provider] }),
    ...(choices &&
      (provider || group) && { name: [...nameFor(search, choices)].slice(0, MAX_NAME_CHARACTERS).join('') }),
    ...(provider && resource && { resources: [`${provider}/${resource}`] }),
    ...(provider && document && { documents: [`${provider}/${document}`], eventTypes: ['tos.changed'] }),
    ...(group && { aliases: [group] }),
  }
  // Another Watch button begins another draft.
  const about = JSON.stringify(given)
  return (
    <Page
      title="Create a webhook"
      about="It receives everything published from now on. Requests are signed, so you can verify that they come from here."
    >
      {owned && owned.webhooks.length >= owned.most && (
        <Alert color="yellow" title="This workspace may have no more webhooks" maw={720}>
          It has {owned.webhooks.length}: <TextLink to="/webhooks">delete one</TextLink> to create another. What you
          type here is kept.
        </Alert>
      )}
      {choices ? (
        <WebhookForm
          key={about}
          draft={`new-webhook.${workspaceId}.${about}`}
          given={given}
          save={(body) => createWebhook(workspaceId, body)}
          onSaved={({ webhook }) => {
            void navigate({
              to: '/webhooks/$webhookId',
              params: { webhookId: webhook.id },
              search: { workspace: workspaceId, tab: 'secret' },
            } as never)
          }}
          button="Create the webhook"
        />
      ) : (
        <FormLoading />
      )}
    </Page>
  )
}
