import { type ReactNode, Suspense } from 'react'
import { lazyComponent } from '../lib/lazy'
import { Card, CardBody, CardHeading } from './card'
import { type ChartData, written } from './chart-data'
import { Skeleton } from './query-result'
import { Cell, HeadCell, Table, TableBody, TableHead } from './table'

const Chart = lazyComponent(() => import('./chart').then((m) => m.Chart))

type ChartCardProps = { data: ChartData; level?: 2 | 3; empty?: ReactNode }

export const ChartCard = ({ data, level = 3, empty }: ChartCardProps) => (
  <Card>
    <CardHeading title={data.title} level={level} />
    <CardBody>
      <ChartFigure data={data} empty={empty ?? 'Nothing to show for this period yet.'} />
    </CardBody>
  </Card>
)

/** With its table, which a screen reader reads in its place. */
export const ChartFigure = ({ data, empty }: { data: ChartData; empty: ReactNode }) => (
  <>
    {data.places.some(({ values }) => values.some((value) => value !== null && value !== 0)) ? (
      <Suspense fallback={<Skeleton className="h-48" />}>
        <Chart data={data} />
      </Suspense>
    ) : (
      <p className="py-6 text-center text-muted">{empty}</p>
    )}
    {data.places.length > 0 ? (
      <details className="mt-3">
        <summary className="w-fit rounded-md py-2 text-sm font-semibold text-brand-700 hover:underline">
          {data.title} as a table
        </summary>
        <ChartTable data={data} />
      </details>
    ) : null}
  </>
)

const ChartTable = ({ data }: { data: ChartData }) => (
  <Table label={data.title}>
    <TableHead>
      <tr>
        <HeadCell>{data.of}</HeadCell>
        {data.beside?.map((name) => (
          <HeadCell key={name} className="text-right">
            {name}
          </HeadCell>
        ))}
        {data.series.map((name) => (
          <HeadCell key={name} className="text-right">
            {name}
          </HeadCell>
        ))}
      </tr>
    </TableHead>
    <TableBody>
      {data.places.map(({ label, values, beside }) => (
        <tr key={label}>
          <Cell>{label}</Cell>
          {beside?.map((text, at) => (
            <Cell key={data.beside?.[at]} className="money text-right">
              {text}
            </Cell>
          ))}
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
