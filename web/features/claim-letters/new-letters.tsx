import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { roll, type RollEntry } from '#contracts/enrolment'
import type { ClaimCodeLetter } from '#contracts/roll-import'
import { counted, classlessFilter, noClass, classLabel } from '../../lib/format'
import { readFilters, useListAddress } from '../../lib/list-address'
import { consolePaths } from '../../lib/paths'
import { Button } from '../../ui/button'
import { Card, CardBody, CardHeading } from '../../ui/card'
import { Checkbox } from '../../ui/checkbox'
import { FilterSelect, SearchField } from '../../ui/filters'
import { ListCount, PagedList } from '../../ui/paged-list'
import { EmptyState } from '../../ui/query-result'
import { SelectBox, type Selection, SelectionBar, useSelection } from '../../ui/selection'
import { type Addressed, waitingQuery, ClaimLetters } from './claim-letters'
import { LettersQuestion, type Asked } from './new-letter'

export const NewLetters = () => {
  const list = useListAddress(['class'], { sort: 'class', direction: 'asc' })
  const selection = useSelection<RollEntry>()
  const { chosen, clear } = selection
  const [asked, setAsked] = useState<Asked | null>(null)
  const [codes, setCodes] = useState<readonly ClaimCodeLetter[]>([])
  const filters = {
    ...readFilters(list.address, roll.query, ['text', 'class']),
    ...classlessFilter(list.address),
  }
  const waiting = useQuery(waitingQuery({ ...filters, page: list.page }))
  const ask = (count: number, to: Addressed) => setAsked({ count, to })
  return (
    <Card>
      <CardHeading
        title="New letters"
        hint="Children without an account. A family gets one letter for all of them."
        actions={
          <Link to={consolePaths.roll} className="btn btn-secondary btn-md">
            Back to the Roll
          </Link>
        }
      />
      <CardBody className="flex flex-col gap-4">
        <Filters list={list} classes={waiting.data?.classes ?? []} />
        <PagedList
          query={waiting}
          list={list}
          pages={({ metadata }) => metadata}
          failure="Failed to fetch the roll"
          empty={<NobodyWaits filtered={Object.keys(filters).length > 0} />}
          renderHead={(total) => (
            <div className="flex flex-wrap items-center justify-between gap-2">
              <ListCount>{counted(total, 'child', 'children')}</ListCount>
              <Button variant="secondary" onClick={() => ask(total, { all: filters })}>
                {`Letters for All ${total}`}
              </Button>
            </div>
          )}
        >
          {({ data }) => <ChildBoxes entries={data} selection={selection} />}
        </PagedList>
        {chosen.size > 0 ? (
          <ChosenBar
            count={chosen.size}
            onClear={clear}
            onMake={(together) => ask(chosen.size, { ids: [...chosen.keys()], together })}
          />
        ) : null}
      </CardBody>
      {asked ? (
        <LettersQuestion
          {...asked}
          onClose={() => setAsked(null)}
          onMade={(made) => {
            setAsked(null)
            clear()
            setCodes(made)
          }}
        />
      ) : null}
      <ClaimLetters key={codes[0]?.code} codes={codes} />
    </Card>
  )
}

type FiltersProps = {
  list: Parameters<typeof SearchField>[0]['list'] & Parameters<typeof FilterSelect>[0]['list']
  classes: readonly string[]
}

const Filters = ({ list, classes }: FiltersProps) => (
  <div className="flex flex-wrap items-start gap-3">
    <SearchField
      list={list}
      name="text"
      label="Search children"
      hint="Name, admission number, or the name of the family"
      className="min-w-0 grow basis-64"
    />
    <FilterSelect
      list={list}
      name="class"
      label="Class"
      className="min-w-0 flex-1 basis-32 sm:max-w-44"
      options={[
        { value: '', label: 'All classes' },
        ...classes.map((value) => ({ value, label: value })),
        { value: noClass, label: 'Without a class' },
      ]}
    />
  </div>
)

type ChosenBarProps = { count: number; onClear: () => void; onMake: (together: boolean) => void }

const ChosenBar = ({ count, onClear, onMake }: ChosenBarProps) => (
  <SelectionBar
    label="Chosen children"
    clear="Choose none"
    onClear={onClear}
    text={<strong>{`${counted(count, 'child', 'children')} chosen`}</strong>}
  >
    {count > 1 ? (
      <Button variant="secondary" className="max-sm:basis-full" onClick={() => onMake(true)}>
        One Letter for All
      </Button>
    ) : null}
    <Button
      className="max-sm:basis-full"
      onClick={() => onMake(false)}
    >{`Letters for ${counted(count, 'Child', 'Children')}`}</Button>
  </SelectionBar>
)

const NobodyWaits = ({ filtered }: { filtered: boolean }) => (
  <EmptyState title={filtered ? 'No results found' : 'Every child has an account'} icon="people">
    {filtered
      ? 'Try a shorter search, or choose all classes. Children with an account need no letter.'
      : 'Letters are for children of the roll whom no account has.'}
  </EmptyState>
)

type ChildBoxesProps = { entries: readonly RollEntry[]; selection: Selection<RollEntry> }

const ChildBoxes = ({ entries, selection }: ChildBoxesProps) => (
  <div className="rounded-md border border-line">
    <div className="border-b border-line bg-sand-50 px-3">
      <SelectBox
        label="All on this page"
        rows={entries}
        selection={selection}
        className="min-h-11! w-full font-semibold"
      />
    </div>
    <ul className="divide-y divide-line">
      {entries.map((child) => (
        <li key={child.id} className="px-3 py-1.5">
          <Checkbox
            label={<span className="font-semibold wrap-anywhere">{child.name}</span>}
            hint={<span className="wrap-anywhere">{tellingText(child)}</span>}
            className="w-full"
            checked={selection.chosen.has(child.id)}
            onChange={() => selection.toggle([child])}
          />
        </li>
      ))}
    </ul>
  </div>
)

const tellingText = (child: RollEntry): string =>
  [classLabel(child), child.admissionNumber && `No. ${child.admissionNumber}`, child.guardian?.name]
    .filter(Boolean)
    .join(' · ')
