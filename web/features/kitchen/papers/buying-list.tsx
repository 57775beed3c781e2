import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { kitchenBuying, type BoughtIngredient, type BuyingList as Buying } from '#contracts/papers'
import { endpointQuery } from '../../../lib/endpoint-query'
import { counted, dateRange, dayAndMonth, shortDay } from '../../../lib/format'
import { Button } from '../../../ui/button'
import { Card } from '../../../ui/card'
import { TextField } from '../../../ui/field'
import { EmptyState, QueryResult } from '../../../ui/query-result'
import { Cell, HeadCell, Table, TableBody, TableHead } from '../../../ui/table'
import { PrintButton, PrintedAt, usePaperFoot } from '../printing'
import { amountText } from './amount-text'

type BuyingListProps = { from: string; to: string; onBack: () => void }

/** What the orders of some days take, to print beside the cooking list. */
export const BuyingList = ({ onBack, ...first }: BuyingListProps) => {
  const [asked, setAsked] = useState({ from: first.from, to: first.to })
  const query = useQuery({ ...endpointQuery('ordering', kitchenBuying, { query: asked }), staleTime: 0 })
  usePaperFoot(`Buying list · ${dateRange(asked.from, asked.to)}`)
  return (
    <div className="flex flex-col gap-4 print:block">
      <div className="flex flex-wrap items-end gap-2 print:hidden">
        <Button variant="secondary" icon="chevron-left" onClick={onBack}>
          Kitchen View
        </Button>
        {(['from', 'to'] as const).map((name) => (
          <TextField
            key={name}
            label={name === 'from' ? 'From' : 'To'}
            type="date"
            value={asked[name]}
            onChange={({ target }) => target.value && setAsked({ ...asked, [name]: target.value })}
          />
        ))}
        <PrintButton />
      </div>
      <h2 className="font-display text-2xl font-semibold">Buying list, {dateRange(asked.from, asked.to)}</h2>
      <PrintedAt />
      <QueryResult
        query={query}
        failure="Failed to fetch the buying list"
        isEmpty={({ ingredients, withoutIngredients }) =>
          ingredients.length + withoutIngredients.length === 0
        }
        empty={
          <Card>
            <EmptyState title="Nothing is ordered for these days">
              Ingredients appear here as soon as meals are ordered.
            </EmptyState>
          </Card>
        }
      >
        {(list) => <List list={list} />}
      </QueryResult>
    </div>
  )
}

const List = ({ list }: { list: Buying }) => {
  const { days, margin, ingredients, withoutIngredients, planned } = list
  const meals = planned.reduce((sum, one) => sum + one.meals, 0)
  return (
    <div className="flex flex-col gap-3">
      <p className="text-sm text-muted">
        {margin > 0 ? `With ${margin} % more than ordered.` : 'As ordered, nothing more.'}
        {meals > 0 ? ` Not counted: about ${counted(meals, 'meal')} by plans.` : null}
      </p>
      {ingredients.length > 0 ? <Ingredients days={days} ingredients={ingredients} /> : null}
      {withoutIngredients.length > 0 ? (
        <p className="text-sm">
          <strong>Without ingredients:</strong> {withoutIngredients.join(', ')}
        </p>
      ) : null}
    </div>
  )
}

const Ingredients = ({ days, ingredients }: { days: string[]; ingredients: BoughtIngredient[] }) => (
  <Table label="Ingredients to buy">
    <TableHead>
      <tr>
        <HeadCell className="sticky left-0 bg-sand-50">Ingredient</HeadCell>
        <HeadCell className="text-right">Amount</HeadCell>
        {days.length > 1
          ? days.map((date) => (
              <HeadCell key={date} className="text-right" title={dayAndMonth(date)}>
                {shortDay(date)}
              </HeadCell>
            ))
          : null}
        <HeadCell>Dishes</HeadCell>
      </tr>
    </TableHead>
    <TableBody>
      {ingredients.map(({ name, unit, amount, perDay, dishes }) => (
        <tr key={`${name}/${unit}`}>
          <Cell className="sticky left-0 bg-page font-semibold print:bg-transparent">{name}</Cell>
          <Cell className="money text-right font-semibold">{amountText(amount, unit)}</Cell>
          {days.length > 1
            ? perDay.map((one, at) => (
                <Cell key={days[at]} className="money text-right">
                  {one === 0 ? '–' : amountText(one, unit)}
                </Cell>
              ))
            : null}
          <Cell className="min-w-64 text-muted print:min-w-0">{dishes.join(', ')}</Cell>
        </tr>
      ))}
    </TableBody>
  </Table>
)
