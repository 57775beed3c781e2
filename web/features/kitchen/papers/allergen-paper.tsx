import { useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router-dom'
import type { DietName } from '#contracts/catalogue'
import type { ReplyOf } from '#contracts/endpoint'
import { allergenCell, allergenTable, dietCell, type TableDish } from '#contracts/papers'
import { classes } from '../../../lib/classes'
import { endpointQuery } from '../../../lib/endpoint-query'
import { dateRange, dayAndMonth } from '../../../lib/format'
import { paths } from '../../../lib/paths'
import { schoolDate, schoolNow } from '../../../lib/school-moment'
import { TextField } from '../../../ui/field'
import { EmptyState, QueryResult } from '../../../ui/query-result'
import { Cell, HeadCell, Table, TableBody, TableHead } from '../../../ui/table'
import { PrintButton, PrintedAt, usePaperFoot } from '../printing'

/** A week's dishes × the school's allergens and diets, on A4 across. */
export const AllergenPaper = () => {
  const [address, setAddress] = useSearchParams()
  const from = address.get('from') ?? schoolDate(schoolNow())
  const query = useQuery({ ...endpointQuery('ordering', allergenTable, { query: { from } }), staleTime: 0 })
  return (
    <article className="allergen-paper flex flex-col gap-4 print:block">
      <div className="flex flex-wrap items-end gap-2 print:hidden">
        <TextField
          label="Week of"
          type="date"
          value={from}
          onChange={({ target }) => target.value && setAddress({ from: target.value }, { replace: true })}
        />
        <PrintButton />
        <Link to={paths.home} className="btn btn-secondary">
          Back
        </Link>
      </div>
      <QueryResult
        query={query}
        failure="Failed to fetch the allergens"
        isEmpty={({ dishes }) => dishes.length === 0}
        empty={<EmptyState title="No dishes this week">Choose a week of the order cycle.</EmptyState>}
      >
        {(table) => <DishTable {...table} />}
      </QueryResult>
    </article>
  )
}

/** What a dish has against a diet. */
const dietHeads: Record<DietName, string> = {
  halal: 'Not halal',
  vegetarian: 'Meat or fish',
  noPork: 'Pork',
  noBeef: 'Beef',
}

const DishTable = ({ from, to, allergens, diets, dishes }: ReplyOf<typeof allergenTable>) => {
  const title = `Allergens, ${dateRange(from, to)}`
  usePaperFoot(title)
  return (
    <>
      <h2 className="font-display text-2xl font-semibold">{title}</h2>
      <PrintedAt />
      <Table label={title}>
        <TableHead>
          <tr>
            <HeadCell className="sticky left-0 bg-sand-50">Dish</HeadCell>
            {allergens.map((name) => (
              <HeadCell key={name} className="whitespace-normal">
                {name}
              </HeadCell>
            ))}
            {diets.map((name) => (
              <HeadCell key={name} className="whitespace-normal">
                {dietHeads[name]}
              </HeadCell>
            ))}
            <HeadCell>Stated by</HeadCell>
          </tr>
        </TableHead>
        <TableBody>
          {dishes.map((dish) => (
            <tr key={dish.id}>
              <Cell className="sticky left-0 bg-page font-semibold print:bg-transparent">{dish.name}</Cell>
              {allergens.map((name) => (
                <Answer key={name}>{allergenCell(dish, name)}</Answer>
              ))}
              {diets.map((name) => (
                <Answer key={name}>{dietCell(dish, name)}</Answer>
              ))}
              <Cell className="min-w-40 text-muted print:min-w-0">{declaredText(dish)}</Cell>
            </tr>
          ))}
        </TableBody>
      </Table>
    </>
  )
}

const Answer = ({ children }: { children: ReturnType<typeof allergenCell> }) => (
  <Cell className={classes(children === 'Contains' ? 'font-semibold' : 'text-muted')}>{children}</Cell>
)

const declaredText = ({ declared }: TableDish): string =>
  declared === null ? 'not stated' : `${declared.by}, ${dayAndMonth(schoolDate(declared.at))}`
