import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { sponsoredReport, sponsoredReportCsv, type SponsoredReport } from '#contracts/lunch-reports'
import { endpointQuery } from '../../lib/endpoint-query'
import { downloadFrom } from '../../lib/files'
import { counted, kwacha } from '../../lib/format'
import { schoolDate, schoolNow } from '../../lib/school-moment'
import { useUser } from '../../queries/session'
import { Button } from '../../ui/button'
import { Card, CardBody, CardHeading } from '../../ui/card'
import { Checkbox } from '../../ui/checkbox'
import { TextField } from '../../ui/field'
import { EmptyState, QueryResult } from '../../ui/query-result'
import { Select } from '../../ui/select'
import { Cell, HeadCell, Table, TableBody, TableHead } from '../../ui/table'

type Asked = { from: string; to: string; by: 'lunch' | 'booking'; names: boolean }

/** Default: this month until today. */
export const SponsoredLunches = () => {
  const user = useUser()
  const mayName = user.isSuperadmin || user.allowedFeatures.includes('parents_students')
  const [asked, setAsked] = useState<Asked>(() => {
    const today = schoolDate(schoolNow())
    return { from: `${today.slice(0, 8)}01`, to: today, by: 'lunch', names: false }
  })
  const change = (changed: Partial<Asked>) => setAsked((now) => ({ ...now, ...changed }))
  const report = useQuery(sponsoredQuery(asked))
  return (
    <Card>
      <CardHeading title="Sponsored lunches" hint="What codes and bursaries paid, by who pays" />
      <CardBody className="flex flex-col gap-4">
        <div className="flex flex-wrap items-end gap-3">
          <TextField
            label="From"
            type="date"
            value={asked.from}
            onChange={({ target }) => target.value && change({ from: target.value })}
          />
          <TextField
            label="To"
            type="date"
            value={asked.to}
            onChange={({ target }) => target.value && change({ to: target.value })}
          />
          <Select
            label="Counted"
            options={[
              { value: 'lunch', label: 'By date of lunch' },
              { value: 'booking', label: 'By date of booking' },
            ]}
            value={asked.by}
            onChange={({ target }) => change({ by: target.value === 'booking' ? 'booking' : 'lunch' })}
          />
          {mayName ? (
            <Checkbox
              label="Name children"
              checked={asked.names}
              onChange={() => change({ names: !asked.names })}
            />
          ) : null}
          <Button variant="secondary" icon="download" onClick={() => downloadFrom(fileOf(asked))}>
            CSV
          </Button>
        </div>
        <QueryResult
          query={report}
          failure="Failed to fetch sponsored lunches"
          isEmpty={({ rows }) => rows.length === 0}
          empty={<EmptyState title="No sponsored lunches in these days" />}
        >
          {(shown) => <ReportTable report={shown} />}
        </QueryResult>
      </CardBody>
    </Card>
  )
}

const queryOf = ({ names, ...asked }: Asked) => ({ ...asked, ...(names && { names: true }) })

const sponsoredQuery = (asked: Asked) => ({
  ...endpointQuery('ordering', sponsoredReport, { query: queryOf(asked) }),
  staleTime: 0,
})

const fileOf = (asked: Asked): string =>
  `${sponsoredReportCsv.path}?${new URLSearchParams(Object.entries(queryOf(asked)).map(([key, value]) => [key, String(value)]))}`

const heads = ['Children', 'Meals', 'Days', 'Full price', 'Sponsored', 'Paid by families']

const ReportTable = ({ report: { rows, totals } }: { report: SponsoredReport }) => (
  <Table label="Sponsored lunches">
    <TableHead>
      <tr>
        <HeadCell>Sponsor</HeadCell>
        {heads.map((head) => (
          <HeadCell key={head} className="text-right">
            {head}
          </HeadCell>
        ))}
      </tr>
    </TableHead>
    <TableBody>
      {rows.map((row) => (
        <tr key={`${row.sponsor} ${row.discountPercentage}`}>
          <Cell>
            <span className="font-semibold">{row.sponsor ?? 'No sponsor named'}</span>
            {` · ${row.discountPercentage}%`}
            {row.students?.map((child) => (
              <span key={child.id} className="block text-muted">
                {`${child.name}, ${child.class ?? `grade ${child.grade}`}: ${counted(child.meals, 'meal')}, ${kwacha(child.sponsored)}`}
              </span>
            ))}
          </Cell>
          <Figures of={row} />
        </tr>
      ))}
      <tr className="font-semibold">
        <Cell>Total</Cell>
        <Figures of={totals} />
      </tr>
    </TableBody>
  </Table>
)

const Figures = ({ of }: { of: SponsoredReport['totals'] }) => (
  <>
    {[of.children, of.meals, of.days].map((count, place) => (
      <Cell key={heads[place]} className="money text-right">
        {count}
      </Cell>
    ))}
    {[of.fullPrice, of.sponsored, of.paidByFamilies].map((amount, place) => (
      <Cell key={heads[place + 3]} className="money text-right">
        {kwacha(amount)}
      </Cell>
    ))}
  </>
)
