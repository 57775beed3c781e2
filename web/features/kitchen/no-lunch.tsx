import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router-dom'
import { noLunchReport, type NoLunchClass } from '#contracts/lunch-reports'
import { endpointQuery } from '../../lib/endpoint-query'
import { counted, longDay } from '../../lib/format'
import { paths } from '../../lib/paths'
import { adminToast, notifyFailure } from '../../lib/toast'
import { rollQuery } from '../../queries/enrolment'
import { Button } from '../../ui/button'
import { Card, CardBody, CardHeading } from '../../ui/card'
import { TextField } from '../../ui/field'
import { QueryResult } from '../../ui/query-result'
import { PrintButton, PrintedAt, usePaperFoot } from './printing'

type NoLunchProps = {
  date: string
  onDate: (date: string) => void
  /** Absent outside of the Kitchen View. */
  onBack?: () => void
}

/** Who of the school has nothing ordered on a day. Many bring food, so it does not say "no lunch". */
export const NoLunch = ({ date, onDate, onBack }: NoLunchProps) => {
  const report = useQuery(noLunchQuery(date))
  usePaperFoot(`No lunch ordered, ${longDay(date)}`)
  return (
    <div className="flex flex-col gap-5 print:block">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <div>
          <h2 className="font-display text-2xl font-semibold">{`No lunch ordered · ${longDay(date)}`}</h2>
          <PrintedAt />
        </div>
        <div className="flex flex-wrap items-end gap-2 print:hidden">
          <TextField
            label="Day"
            type="date"
            value={date}
            onChange={({ target }) => target.value && onDate(target.value)}
          />
          {onBack ? (
            <Button variant="secondary" icon="chevron-left" onClick={onBack}>
              Back to portions
            </Button>
          ) : null}
          <PrintButton />
        </div>
      </div>
      <QueryResult query={report} failure="Failed to fetch who has no lunch ordered">
        {({ classes, totals }) => (
          <>
            <p className="font-semibold">{countsText(totals)}</p>
            <div className="grid gap-4 md:grid-cols-2 print:block print:columns-2">
              {classes.map((one) => (
                <ClassWithout key={one.class} of={one} />
              ))}
            </div>
          </>
        )}
      </QueryResult>
    </div>
  )
}

const noLunchQuery = (date: string) => endpointQuery('ordering', noLunchReport, { query: { date } })

const countsText = ({ children, ordered, absent, without }: Omit<NoLunchClass, 'class' | 'students'>) =>
  [
    counted(children, 'child', 'children'),
    `${ordered} ordered`,
    ...(absent > 0 ? [`${absent} absent`] : []),
    `${without} without`,
  ].join(' · ')

const ClassWithout = ({ of }: { of: NoLunchClass }) => (
  <Card className="print:mb-3 print:break-inside-avoid">
    <CardHeading title={of.class} hint={countsText(of)} />
    {of.students && of.students.length > 0 ? (
      <CardBody>
        <ul className="divide-y divide-line">
          {of.students.map((child) => (
            <Child key={child.id} child={child} />
          ))}
        </ul>
      </CardBody>
    ) : null}
  </Card>
)

const Child = ({ child }: { child: NonNullable<NoLunchClass['students']>[number] }) => {
  const toCounter = useCounterOf(child)
  return (
    <li className="flex flex-wrap items-center justify-between gap-2 py-2 print:py-0.5">
      <span className="wrap-anywhere">
        {child.name}
        {child.discountPercentage > 0 ? (
          <span className="text-sm text-muted">{` · ${child.discountPercentage}% off`}</span>
        ) : null}
      </span>
      <Button variant="secondary" size="sm" className="print:hidden" onClick={() => void toCounter()}>
        Order for this family
      </Button>
    </li>
  )
}

/** Opens the counter on the page of the child's family. */
const useCounterOf = ({ id, name }: { id: number; name: string }) => {
  const client = useQueryClient()
  const navigate = useNavigate()
  return async () => {
    try {
      const { data } = await client.fetchQuery(rollQuery({ text: name }))
      const family = data.find((entry) => entry.id === id)?.parent
      if (family) void navigate(paths.family(family.id))
      else adminToast({ title: 'No account yet', text: `No account has ${name}.`, kind: 'error' })
    } catch (error) {
      notifyFailure(error, 'Failed to find the family')
    }
  }
}
