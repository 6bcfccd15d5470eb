import { getRouteApi } from '@tanstack/react-router'
import { usePageData } from '../../api/use-page-data.ts'
import { type Watch, watchesQuery } from '../../api/watches.ts'
import { type Choices, choicesQuery } from '../../api/webhooks.ts'
import { ButtonLink } from '../../components/links.tsx'
import { FormLoading } from '../../components/loading/form-loading.tsx'
import { Page } from '../../components/page.tsx'
import { useWorkspace } from '../../components/shell/use-workspace.ts'
import { Empty } from '../../components/states/empty.tsx'
import { NoMails } from './no-mails.tsx'
import { WatchForm } from './watch-form.tsx'
import { subjectOf } from './watch-texts.ts'

const route = getRouteApi('/signed-in/account/watch')

type About = { provider?: string; resource?: string; document?: string; group?: string }

/** Watches what a page's Watch button names, or changes the watch that there is. */
export function WatchPage() {
  const search = route.useSearch()
  const { account } = useWorkspace()
  const choices = usePageData(choicesQuery).data
  const kept = usePageData(watchesQuery).data
  const { provider, resource, document, group } = search
  if (provider === undefined && group === undefined) return <NothingNamed />
  const head = {
    about: `Changes are mailed to ${account.email}, from now on.`,
    back: { to: '/account/watches', label: 'What you watch' },
  }
  if (!choices || !kept)
    return (
      <Page title={undefined} {...head}>
        <FormLoading />
      </Page>
    )
  const { mails, watches } = kept
  const existing = watches.find((watch) => isAbout(watch, search))
  const canMail = mails === 'yes' && account.emailVerifiedAt !== null
  const subject = existing ? subjectOf(existing) : nameOf(search, choices)
  return (
    <Page title={`Watch ${subject}`} {...head}>
      <NoMails mails={mails} isConfirmed={account.emailVerifiedAt !== null} />
      <WatchForm
        key={JSON.stringify(search)}
        about={{ provider, resource, document, group }}
        existing={existing}
        canMail={canMail}
      />
    </Page>
  )
}

const NothingNamed = () => (
  <Page title="Watch">
    <Empty title="Choose what to watch first" action={<ButtonLink to="/prices">See all prices</ButtonLink>}>
      Open a model, a comparison or a document, and choose Watch there.
    </Empty>
  </Page>
)

const isAbout = (watch: Watch, { provider, resource, document, group }: About): boolean =>
  (watch.provider ?? undefined) === provider &&
  (watch.resource ?? undefined) === resource &&
  (watch.document ?? undefined) === document &&
  watch.group?.id === group

function nameOf({ provider, resource, document, group }: About, { providers, groups }: Choices): string {
  if (group !== undefined) return groups.find(({ id }) => id === group)?.name ?? 'a group'
  const seller = providers.find((one) => one.provider === provider)
  const name = seller?.name ?? provider
  const title = seller?.documents.find((one) => one.document === document)?.title ?? document
  if (title !== undefined) return `${title} of ${name}`
  return resource === undefined ? `${name}` : `${resource} at ${name}`
}
