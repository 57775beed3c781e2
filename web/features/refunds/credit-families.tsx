import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import * as z from 'zod/mini'
import {
  balancesPerPage,
  creditBalancesCsv,
  listCreditBalances,
  type CreditBalances,
  payOutCredits,
} from '#contracts/credit-balances'
import { urlOf } from '#contracts/endpoint'
import { refundMethods } from '#contracts/refunds'
import { endpointMutation, listQuery } from '../../lib/endpoint-query'
import { downloadFrom } from '../../lib/files'
import { counted, gradeLabel, kwacha, kwachaSum, methodLabel } from '../../lib/format'
import { schoolDay } from '../../lib/school-moment'
import { adminToast } from '../../lib/toast'
import { Badge } from '../../ui/badge'
import { Button } from '../../ui/button'
import { Card, CardBody } from '../../ui/card'
import { Checkbox } from '../../ui/checkbox'
import { type DataColumn, DataTable } from '../../ui/data-table'
import { FormField } from '../../ui/form'
import { FormDialog } from '../../ui/form-dialog'
import { SkippedNotice } from '../../ui/notice'
import { EmptyState, QueryResult } from '../../ui/query-result'
import { SelectBox, SelectionBar, useSelection, type Selection } from '../../ui/selection'

type Family = CreditBalances['data'][number] & { id: number }

/** Most credit first. */
export const CreditFamilies = () => {
  const [leaving, setLeaving] = useState(false)
  const [page, setPage] = useState(1)
  const balances = useQuery(balancesQuery({ page, ...(leaving && { leaving }) }))
  return (
    <Card>
      <CardBody className="flex flex-col gap-4">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <Checkbox
            label="Only families that leave (left the register, or in grade 12)"
            checked={leaving}
            onChange={() => {
              setLeaving(!leaving)
              setPage(1)
            }}
            className="min-h-11! text-sm font-semibold"
          />
          <Button
            variant="secondary"
            icon="download"
            onClick={() => downloadFrom(urlOf(creditBalancesCsv, { query: leaving ? { leaving } : {} }))}
          >
            Export CSV
          </Button>
        </div>
        <QueryResult query={balances} failure="Failed to fetch families with credit">
          {({ total, data }) => (
            <>
              <p className="text-sm">
                Credit of all families <strong className="money">{kwacha(total)}</strong>
              </p>
              {data.length === 0 ? (
                <EmptyState title="No family has credit" icon="wallet">
                  Families with credit appear here, with what payments under way hold of it.
                </EmptyState>
              ) : (
                <FamilyList
                  listed={`${leaving} ${page}`}
                  families={data.map((family) => ({ ...family, id: family.parentId }))}
                />
              )}
              <Pages page={page} isLast={data.length < balancesPerPage} onChange={setPage} />
            </>
          )}
        </QueryResult>
      </CardBody>
    </Card>
  )
}

type PagesProps = { page: number; isLast: boolean; onChange: (page: number) => void }

const Pages = ({ page, isLast, onChange }: PagesProps) =>
  page === 1 && isLast ? null : (
    <div className="flex items-center justify-between gap-3">
      <Button variant="secondary" size="sm" disabled={page === 1} onClick={() => onChange(page - 1)}>
        Previous
      </Button>
      <span className="text-sm text-muted">{`Page ${page}`}</span>
      <Button variant="secondary" size="sm" disabled={isLast} onClick={() => onChange(page + 1)}>
        Next
      </Button>
    </div>
  )

type Skipped = { id: string; words: string }

const FamilyList = ({ listed, families }: { listed: string; families: readonly Family[] }) => {
  const selection = useSelection<Family>(listed)
  const [isAsking, setAsking] = useState(false)
  const [skipped, setSkipped] = useState<readonly Skipped[]>([])
  const payable = families.filter(({ balance }) => balance > 0)
  const chosen = [...selection.chosen.values()]
  return (
    <>
      <SkippedNotice
        title={`${counted(skipped.length, 'family was', 'families were')} not paid`}
        skipped={skipped}
        onRead={() => setSkipped([])}
      />
      {payable.length > 0 ? (
        <SelectBox label="Select all on this page" rows={payable} selection={selection} />
      ) : null}
      <DataTable
        label="Families with credit"
        columns={columnsOf(selection)}
        rows={families}
        keyOf={({ id }) => id}
      />
      {chosen.length > 0 ? (
        <SelectionBar
          label="Selected families"
          text={`${counted(chosen.length, 'family', 'families')} selected, ${kwacha(sumOf(chosen))}`}
          clear="Clear selection"
          onClear={selection.clear}
        >
          <Button className="max-sm:basis-full" onClick={() => setAsking(true)}>
            Pay Out Selected
          </Button>
        </SelectionBar>
      ) : null}
      {isAsking ? (
        <PayOutDialog
          families={chosen}
          onClose={() => setAsking(false)}
          onDone={(left) => {
            setSkipped(left)
            selection.clear()
          }}
        />
      ) : null}
    </>
  )
}

const sumOf = (families: readonly Family[]): number => kwachaSum(families.map(({ balance }) => balance))

const columnsOf = (selection: Selection<Family>): DataColumn<Family>[] => [
  {
    label: 'Family',
    width: 'full',
    cell: (family) => (
      <SelectBox
        label={family.name || family.username}
        name={`Select ${family.username}`}
        rows={[family]}
        selection={selection}
        disabled={family.balance === 0}
      />
    ),
  },
  {
    label: 'Credit',
    named: true,
    cell: ({ balance, held }) => (
      <span className="money">
        {kwacha(balance)}
        {held > 0 ? <span className="block text-xs text-muted">{`${kwacha(held)} held`}</span> : null}
      </span>
    ),
  },
  {
    label: 'Last order',
    named: true,
    cell: ({ lastOrderAt }) => (lastOrderAt === null ? 'None' : schoolDay(lastOrderAt)),
  },
  {
    label: 'Children',
    width: 'full',
    cell: ({ children }) => (
      <ul className="flex flex-col gap-1">
        {children.map((child) => (
          <li key={`${child.name} ${child.grade}`} className="flex flex-wrap items-center gap-2">
            {`${child.name}, ${gradeLabel(child.grade)}`}
            {child.leaving ? <Badge tone="warning">Leaves</Badge> : null}
          </li>
        ))}
      </ul>
    ),
  },
]

const payoutForm = z.object({
  method: z.enum(refundMethods),
  reference: z.string().check(z.trim(), z.maxLength(100)),
})

type PayOutDialogProps = {
  families: readonly Family[]
  onDone: (skipped: readonly Skipped[]) => void
  onClose: () => void
}

const PayOutDialog = ({ families, onDone, onClose }: PayOutDialogProps) => {
  const paying = useMutation(payOutMany)
  const nameOf = (parentId: number) => families.find(({ id }) => id === parentId)?.username ?? `${parentId}`
  return (
    <FormDialog
      title={`Pay out ${counted(families.length, 'family', 'families')}?`}
      description={`Record that all free credit of each, ${kwacha(sumOf(families))} together, was paid out. This moves no money and cannot be undone.`}
      submit="Pay Out"
      busyLabel="Paying out..."
      schema={payoutForm}
      defaultValues={{ method: 'cash', reference: '' }}
      onSave={async ({ method, reference }) => {
        const body = { parentIds: families.map(({ id }) => id), method, ...(reference ? { reference } : {}) }
        const { paid, amount, skipped } = await paying.mutateAsync({ body })
        adminToast({
          title: 'Credit paid out',
          text: `${counted(paid, 'family', 'families')}, ${kwacha(amount)}`,
        })
        onDone(
          skipped.map(({ parentId, message }) => ({
            id: `${parentId}`,
            words: `${nameOf(parentId)}: ${message}`,
          })),
        )
      }}
      failed="Failed to pay out credit"
      onClose={onClose}
      className="grid gap-4 sm:grid-cols-2"
    >
      <FormField
        name="method"
        label="Method"
        options={refundMethods.map((value) => ({ value, label: methodLabel(value) }))}
      />
      <FormField name="reference" label="Reference (optional)" maxLength={100} autoComplete="off" />
    </FormDialog>
  )
}

const balancesQuery = (query: { page: number; leaving?: boolean }) =>
  listQuery('refunds', listCreditBalances, { query })

const payOutMany = endpointMutation(payOutCredits, 'refunds', 'payments', 'identity')
