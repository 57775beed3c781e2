import { useMutation, keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { searchUsers } from '#contracts/accounts'
import type { QueryOf } from '#contracts/endpoint'
import {
  type CodeSort,
  type DiscountCode,
  createDiscountCode,
  deleteDiscountCode,
  listDiscountCodes,
  updateDiscountCode,
} from '#contracts/order-reports'
import { endpointMutation, endpointQuery, listQuery } from '../../lib/endpoint-query'
import { notifyOutcome } from '../../lib/toast'
import { IconButton } from '../../ui/button'
import { Switch } from '../../ui/checkbox'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import { type DataColumn, DataTable } from '../../ui/data-table'
import type { SortProps } from '../../ui/sort-head'

const columnsOf = (onDelete: (code: DiscountCode) => void): DataColumn<DiscountCode, CodeSort>[] => [
  {
    label: 'Code',
    by: 'code',
    width: 'most',
    className: 'font-semibold break-words @max-4xl:order-1',
    cell: ({ code }) => code,
  },
  {
    label: 'User',
    by: 'user',
    className: 'break-words @max-4xl:order-3 @max-4xl:self-center @max-4xl:text-muted',
    cell: (code) => <Owner code={code} />,
  },
  {
    label: 'Discount',
    by: 'discount',
    headClass: 'text-right',
    width: 'third',
    className: 'text-right @max-4xl:order-2',
    cell: ({ discountPercentage }) => <span className="money">{discountPercentage}%</span>,
  },
  {
    label: 'Active',
    by: 'active',
    named: true,
    headClass: 'text-right',
    width: 'third',
    className: 'text-right @max-4xl:order-4',
    cell: (code) => <ActiveSwitch code={code} />,
  },
  {
    label: 'Delete',
    hideLabel: true,
    headClass: 'w-px',
    className: 'text-right @max-4xl:order-5 @max-4xl:col-span-1!',
    cell: (code) => (
      <IconButton
        icon="trash"
        variant="danger"
        label={`Delete ${code.code}`}
        onClick={() => onDelete(code)}
      />
    ),
  },
]

const Owner = ({ code: { user, studentId, student, sponsor } }: { code: DiscountCode }) => {
  const account = user?.username ?? 'No account yet'
  if (studentId === null) return sponsor === null ? account : `${account} · ${sponsor}`
  return (
    <>
      {student?.name ?? 'A child that left'}
      <span className="block text-sm text-muted">{[account, sponsor].filter(Boolean).join(' · ')}</span>
    </>
  )
}

type CodeListProps = { codes: readonly DiscountCode[]; sorted: SortProps<CodeSort> }

export const CodeList = ({ codes, sorted }: CodeListProps) => {
  const [deleting, setDeleting] = useState<DiscountCode | null>(null)
  return (
    <>
      <DataTable
        label="Discount codes"
        columns={columnsOf(setDeleting)}
        rows={codes}
        keyOf={({ id }) => id}
        rowClass="[&>td]:align-middle"
        sorted={sorted}
      />
      {deleting ? <DeleteCode code={deleting} onClose={() => setDeleting(null)} /> : null}
    </>
  )
}

const ActiveSwitch = ({ code }: { code: DiscountCode }) => {
  const switching = useMutation(switchCode)
  const isActive = switching.isPending ? switching.variables.body.isActive : code.isActive
  const toggle = (on: boolean) =>
    void notifyOutcome(switching.mutateAsync({ params: { id: code.id }, body: { isActive: on } }), {
      done: 'Discount code updated successfully',
      failed: 'Failed to update discount code',
    })
  return <Switch label={`${code.code} is active`} hideLabel checked={isActive} onChange={toggle} />
}

const DeleteCode = ({ code, onClose }: { code: DiscountCode; onClose: () => void }) => {
  const removing = useMutation(removeCode)
  const confirm = async () => {
    await notifyOutcome(removing.mutateAsync({ params: { id: code.id } }), {
      done: 'Discount code deleted successfully',
      failed: 'Failed to delete discount code',
    })
    onClose()
  }
  return (
    <ConfirmDialog
      open
      danger
      title="Delete this discount code?"
      confirm="Delete"
      busy={removing.isPending}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      {`“${code.code}” is removed for good, and ${code.student?.name ?? code.user?.username ?? 'the child'} pays without it from now on. Orders already placed keep their price.`}
    </ConfirmDialog>
  )
}

export const codesQuery = (query: QueryOf<typeof listDiscountCodes>) =>
  listQuery('ordering', listDiscountCodes, { query })

/** administrator.md section 5. */
export const minSearchLength = 2

export const usersQuery = (text: string) => ({
  ...endpointQuery('identity', searchUsers, { query: { q: text } }),
  enabled: text.length >= minSearchLength,
  placeholderData: keepPreviousData,
})

export const addCode = endpointMutation(createDiscountCode, 'ordering')
const switchCode = endpointMutation(updateDiscountCode, 'ordering')
const removeCode = endpointMutation(deleteDiscountCode, 'ordering')
