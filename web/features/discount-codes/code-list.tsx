import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { CodeSort, DiscountCode } from '#contracts/discount-codes'
import { notifyOutcome } from '../../lib/notify-outcome'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import { IconButton } from '../../ui/icon-button'
import type { SortProps } from '../../ui/sort-head'
import { StackedCell, type StackedColumn, StackedRow, StackedTable } from '../../ui/stacked-table'
import { Switch } from '../../ui/switch'
import { removeCode, switchCode } from './api'

const columns: readonly StackedColumn<CodeSort>[] = [
  { label: 'Code', by: 'code' },
  { label: 'User', by: 'user' },
  { label: 'Discount', by: 'discount', className: 'text-right' },
  { label: 'Active', by: 'active', className: 'text-right' },
  { label: 'Delete', hideLabel: true, className: 'w-px' },
]

type CodeListProps = { codes: readonly DiscountCode[]; sorted: SortProps<CodeSort> }

/** The codes, each switched on and off or deleted. */
export const CodeList = ({ codes, sorted }: CodeListProps) => {
  const [deleting, setDeleting] = useState<DiscountCode | null>(null)
  return (
    <>
      <StackedTable label="Discount codes" columns={columns} sorted={sorted}>
        {codes.map((code) => (
          <CodeRow key={code.id} code={code} onDelete={() => setDeleting(code)} />
        ))}
      </StackedTable>
      {deleting ? <DeleteCode code={deleting} onClose={() => setDeleting(null)} /> : null}
    </>
  )
}

const CodeRow = ({ code, onDelete }: { code: DiscountCode; onDelete: () => void }) => {
  const switching = useMutation(switchCode)
  const isActive = switching.isPending ? switching.variables.body.isActive : code.isActive
  const toggle = (on: boolean) =>
    void notifyOutcome(switching.mutateAsync({ params: { id: code.id }, body: { isActive: on } }), {
      done: 'Discount code updated successfully',
      failed: 'Failed to update discount code',
    })
  return (
    <StackedRow className="[&>td]:align-middle">
      <StackedCell width="most" className="font-semibold break-words @max-4xl:order-1">
        {code.code}
      </StackedCell>
      <StackedCell className="break-words @max-4xl:order-3 @max-4xl:self-center @max-4xl:text-muted">
        {code.user.username}
      </StackedCell>
      <StackedCell width="third" className="text-right @max-4xl:order-2">
        <span className="money">{code.discountPercentage}%</span>
      </StackedCell>
      <StackedCell width="third" label="Active" className="text-right @max-4xl:order-4">
        <Switch label={`${code.code} is active`} hideLabel checked={isActive} onChange={toggle} />
      </StackedCell>
      <StackedCell className="text-right @max-4xl:order-5 @max-4xl:col-span-1!">
        <IconButton icon="trash" variant="danger" label={`Delete ${code.code}`} onClick={onDelete} />
      </StackedCell>
    </StackedRow>
  )
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
      {`“${code.code}” is removed for good, and ${code.user.username} pays without it from now on. Orders already placed keep their price.`}
    </ConfirmDialog>
  )
}
