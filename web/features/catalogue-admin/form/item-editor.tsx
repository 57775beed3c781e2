import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router-dom'
import type { MenuItem } from '#contracts/catalogue'
import { CallError, messageOf } from '../../../lib/call'
import { useFresh } from '../../../lib/endpoint-query'
import { paths } from '../../../lib/paths'
import { notifyOutcome } from '../../../lib/toast'
import { Card, CardBody } from '../../../ui/card'
import { Icon } from '../../../ui/icon'
import { Notice } from '../../../ui/notice'
import { EmptyState, QueryResult, SkeletonLines } from '../../../ui/query-result'
import { duplicate, hasOrdersQuery, menuItemQuery } from '../api'
import { ItemForm } from './item-form'
import { nameLockOf, NameLockDialog } from './item-values'

export const ItemEditor = ({ id }: { id: number }) => {
  const item = useFresh({ ...menuItemQuery(id), enabled: Number.isInteger(id) && id > 0 })
  const missing = !(id > 0) || (item.error instanceof CallError && item.error.status === 404)
  return (
    <div className="flex flex-col gap-4">
      <Link
        to={paths.home}
        className="inline-flex min-h-9 items-center gap-1.5 self-start rounded-md font-semibold text-brand-700 hover:underline"
      >
        <Icon name="chevron-left" size="sm" />
        Back to Menu
      </Link>
      <Card>
        <CardBody>
          {missing ? (
            <EmptyState title="Item not found" icon="search">
              It may have been deleted. Go back to the menu to see what is there.
            </EmptyState>
          ) : (
            <QueryResult
              query={item}
              waiting={<SkeletonLines lines={8} />}
              failure={`Failed to load menu item: ${messageOf(item.error, 'the server could not be reached')}`}
            >
              {(found) => <FoundItem item={found} />}
            </QueryResult>
          )}
        </CardBody>
      </Card>
    </div>
  )
}

const FoundItem = ({ item }: { item: MenuItem }) => {
  const navigate = useNavigate()
  const orders = useQuery(hasOrdersQuery(item.id))
  const copy = useMutation(duplicate)
  const [asking, setAsking] = useState(false)
  const duplicateItem = async () => {
    const made = await notifyOutcome(copy.mutateAsync({ body: { itemIds: [item.id] } }), {
      done: 'Menu item duplicated. You can now modify the new copy.',
      failed: 'Failed to duplicate menu item',
    })
    if (made?.[0]) void navigate(paths.editMenuItem(made[0].id))
  }
  return (
    <>
      {orders.isError ? <OrdersUnknown error={orders.error} /> : null}
      <ItemForm
        level={2}
        item={item}
        lock={nameLockOf(item, orders.data?.hasOrders)}
        onLocked={() => setAsking(true)}
        onSaved={() => void navigate(paths.home)}
        onCancel={() => void navigate(paths.home)}
      />
      <NameLockDialog
        open={asking}
        name={item.name}
        busy={copy.isPending}
        onKeep={() => setAsking(false)}
        onDuplicate={() => void duplicateItem()}
      />
    </>
  )
}

const OrdersUnknown = ({ error }: { error: Error }) => (
  <div className="mb-5">
    <Notice tone="danger" title="Failed to check order status">
      <p>If this item has orders, a new name is refused on saving. {messageOf(error, '')}</p>
    </Notice>
  </div>
)
