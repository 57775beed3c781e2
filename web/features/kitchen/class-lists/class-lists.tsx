import { useQuery } from '@tanstack/react-query'
import { classList, classListSorts } from '#contracts/class-list'
import { longDay } from '../../../lib/format'
import { readFilters, useListAddress } from '../../../lib/list-address'
import { Button } from '../../../ui/button'
import { Checkbox } from '../../../ui/checkbox'
import { isHealthKnown } from '../allergies'
import { classListQuery } from '../api'
import { byName } from '../kitchen-view'
import { LunchesOfDay } from '../lunches-of-day'
import { PrintButton, usePaperFoot } from '../printing'
import { ClassCard } from './class-card'
import { ClassFilters } from './class-filters'
import { classesOf } from './class-groups'

type ClassListsProps = { date: string; onBack: () => void; onLabels: () => void }

/** Who gets what on one day, a list per class. What is listed, and how it is printed, is in the address. */
export const ClassLists = ({ date, onBack, onLabels }: ClassListsProps) => {
  const list = useListAddress(classListSorts, byName)
  const filters = readFilters(list.address, classList.query, ['grade', 'paymentStatus'])
  const apart = list.address.get('apart') === 'yes'
  const lunches = useQuery(classListQuery({ date, ...list.sorted.sorting, ...filters }))
  const health = isHealthKnown(lunches.data?.data ?? [])
  usePaperFoot(`Class lists of ${longDay(date)}`, healthNote(health))
  return (
    <div className="class-lists flex flex-col gap-5 print:block">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3 print:hidden">
        <div>
          <h2 className="font-display text-2xl font-semibold">{longDay(date)}</h2>
          {health ? null : <p className="text-sm text-muted">{healthNote(health)}</p>}
        </div>
        <div className="flex flex-wrap items-end gap-2">
          <ClassFilters list={list} grade={filters.grade} grades={lunches.data?.grades ?? []} />
          <Button variant="secondary" icon="chevron-left" onClick={onBack}>
            Back to portions
          </Button>
          <Button variant="secondary" icon="list" onClick={onLabels}>
            Labels
          </Button>
          <Checkbox
            label="One class a page"
            checked={apart}
            onChange={() => list.onFilter({ apart: apart ? null : 'yes' })}
          />
          <PrintButton />
        </div>
      </div>
      <LunchesOfDay lunches={lunches} none="No orders found">
        {(data) => (
          <div className="flex flex-col gap-5 print:block">
            {classesOf(data).map((group) => (
              <ClassCard
                key={group.label}
                {...group}
                date={date}
                sorted={list.sorted}
                paper={apart ? 'apart' : data.length > mostInLarge ? 'dense' : 'shared'}
                health={health}
              />
            ))}
          </div>
        )}
      </LunchesOfDay>
    </div>
  )
}

/** From how many lunches on the lists are printed in small letters, so that 500 take no more than 12 pages. */
const mostInLarge = 250

const healthNote = (isKnown: boolean): string =>
  isKnown ? 'Allergies in bold; nothing said: none.' : 'Allergies: not declared.'
