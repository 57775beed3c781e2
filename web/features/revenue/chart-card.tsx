import { Suspense } from 'react'
import { lazyPart } from '../../lib/lazy'
import { Card, CardBody, CardHeading } from '../../ui/card'
import { Skeleton } from '../../ui/skeleton'
import { Cell, HeadCell, Table, TableBody, TableHead } from '../../ui/table'
import { type ChartData, written } from './revenue-words'

const BarChart = lazyPart(() => import('./bar-chart').then((m) => m.BarChart))

/** A chart and, to open under it, the table that says the same in words. */
export const ChartCard = ({ data }: { data: ChartData }) => (
  <Card>
    <CardHeading title={data.title} level={3} />
    <CardBody>
      {data.bars.some(({ values }) => values.some((value) => value > 0)) ? (
        <Suspense fallback={<Skeleton className="h-48" />}>
          <BarChart data={data} />
        </Suspense>
      ) : (
        <p className="py-6 text-center text-muted">Nothing to show for this period yet.</p>
      )}
      {data.bars.length > 0 ? (
        <details className="mt-3">
          <summary className="w-fit rounded-md py-2 text-sm font-semibold text-brand-700 hover:underline">
            {data.title} as a table
          </summary>
          <ChartTable data={data} />
        </details>
      ) : null}
    </CardBody>
  </Card>
)

const ChartTable = ({ data }: { data: ChartData }) => (
  <Table label={data.title}>
    <TableHead>
      <tr>
        <HeadCell>{data.of}</HeadCell>
        {data.series.map((name) => (
          <HeadCell key={name} className="text-right">
            {name}
          </HeadCell>
        ))}
      </tr>
    </TableHead>
    <TableBody>
      {data.bars.map(({ label, values }) => (
        <tr key={label}>
          <Cell>{label}</Cell>
          {values.map((value, at) => (
            <Cell key={data.series[at]} className="money text-right">
              {written(value, data.unit)}
            </Cell>
          ))}
        </tr>
      ))}
    </TableBody>
  </Table>
)
