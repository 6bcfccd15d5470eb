import { Button, Checkbox, Group, Kbd, Paper, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { reviewQuery } from '../../../api/operator.ts'
import { Words } from '../../../components/loading/skeletons.tsx'
import { Empty } from '../../../components/states/empty.tsx'
import { Failure } from '../../../components/states/failure.tsx'
import { OperatorPage } from '../operator-page.tsx'
import { BatchDialog } from './decide/batch-dialog.tsx'
import { DecisionBar } from './decide/decision-bar.tsx'
import { DecidedHere, DecisionProblems, PendingDecisions } from './decide/decision-log.tsx'
import { QueueFilters, useFilters } from './filters.tsx'
import { Help } from './help.tsx'
import { ItemDetail } from './item-detail.tsx'
import { ItemList, ItemsLoading } from './item-list.tsx'
import { delists } from './kinds.ts'
import classes from './review.module.css'
import { useReview } from './use-review.ts'

/** What waits for a person: prices, renamings, absences, snapshots and documents. */
export const Review = () => (
  <OperatorPage title="Review" about="Suspicious changes wait here. Current prices stay published until you decide.">
    {() => <Queue />}
  </OperatorPage>
)

function Queue() {
  const filtering = useFilters()
  const { data, error, refetch } = useQuery(reviewQuery(filtering.filters))
  const review = useReview(data?.items ?? [], JSON.stringify(filtering.filters))
  const { items, current, open, selection, prices, decisions, help } = review
  const { chosen } = selection
  const pending = <PendingDecisions {...decisions} onUndo={review.undo} />
  return (
    <Stack gap="md">
      <QueueFilters counts={data?.all} {...filtering} />
      {error && !decisions.failed && <Failure error={error} retry={() => void refetch()} />}
      <DecisionProblems {...decisions} onShow={open.lookAgain} />
      {!current && pending}
      {!data && !error && <ReviewLoading />}
      {data && !current && !decisions.failed && (
        <NothingWaits isFiltered={Object.keys(filtering.filters).length > 0} {...filtering} />
      )}
      {current && (
        <div className={classes.layout}>
          <Stack gap={6}>
            <Group justify="space-between" px={4}>
              <Checkbox
                size="xs"
                label={chosen.length > 0 ? `${chosen.length} selected` : 'Select all'}
                checked={chosen.length > 0 && chosen.length === items.length}
                indeterminate={chosen.length > 0 && chosen.length < items.length}
                onChange={selection.selectAll}
              />
              <Text size="xs" c="dimmed">
                {countText(items.length, data?.matching ?? 0, data?.items.length ?? 0)}
              </Text>
            </Group>
            <ItemList
              items={items}
              current={current.id}
              selected={selection.selected}
              onOpen={open.show}
              onToggle={selection.toggle}
            />
            <Button
              variant="subtle"
              color="gray"
              size="compact-xs"
              onClick={help.open}
              rightSection={<Kbd size="xs">?</Kbd>}
            >
              Keys
            </Button>
          </Stack>
          <Stack gap="md">
            <ItemDetail key={current.id} item={current} edits={prices.edits} onEdit={prices.change} />
            <DecisionBar
              shown={open.shown}
              selected={chosen.length}
              reason={review.reason}
              isEditing={prices.isEditing}
              isDelisting={(open.shown ? [open.shown] : chosen).some(delists)}
              problem={prices.problem}
              onDecide={review.decide}
              onEdit={review.edit}
              onCancelEdit={prices.drop}
              onNext={open.next}
              hasChanged={open.hasChanged}
              onAccept={open.accept}
            >
              {pending}
            </DecisionBar>
          </Stack>
        </div>
      )}
      <DecidedHere {...decisions} />
      {review.batch && <BatchDialog {...review.batch} reason={review.reason.why} />}
      {help.isOpen && <Help onClose={help.close} />}
    </Stack>
  )
}

/** The list at the left, an item at its right. */
const ReviewLoading = () => (
  <div className={classes.layout}>
    <Stack gap={6} role="status" aria-label="Loading">
      <Checkbox size="xs" label="Select all" disabled px={4} />
      <ItemsLoading />
    </Stack>
    <Paper withBorder p="md">
      <Stack gap="md">
        <Words width={280} />
        <Words width={360} />
        <Skeleton height={320} />
      </Stack>
    </Paper>
  </div>
)

const countText = (shown: number, matching: number, listed: number): string =>
  matching > listed ? `the first ${shown} of ${matching}` : `${shown} ${shown === 1 ? 'item waits' : 'items wait'}`

const NothingWaits = ({ isFiltered, clear }: { isFiltered: boolean; clear: () => void }) =>
  isFiltered ? (
    <Empty
      title="No items match"
      action={
        <Button variant="default" onClick={clear}>
          Clear the filters
        </Button>
      }
    />
  ) : (
    <Empty title="Nothing waits">Every price, renaming and document was published or decided.</Empty>
  )
