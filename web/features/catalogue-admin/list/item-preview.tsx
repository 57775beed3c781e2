import type { ReactNode } from 'react'
import { useNavigate } from 'react-router-dom'
import type { MenuItem } from '#contracts/catalogue'
import { capitalised, kwacha } from '../../../lib/format'
import { own } from '../../../lib/own'
import { paths } from '../../../lib/paths'
import { Badge } from '../../../ui/badge'
import { Button } from '../../../ui/button'
import { Dialog } from '../../../ui/dialog'
import {
  ItemPicture,
  TypeBadge,
  daysLabel,
  dietsLabel,
  leadLabel,
  portionsLabel,
  weeksLabel,
} from '../item-text'

type ItemPreviewProps = { item: MenuItem; onClose: () => void }

export const ItemPreview = ({ item, onClose }: ItemPreviewProps) => {
  const navigate = useNavigate()
  return (
    <Dialog
      open
      onClose={onClose}
      title={item.name}
      actions={
        <>
          <Button variant="secondary" onClick={onClose}>
            Close
          </Button>
          <Button icon="edit" onClick={() => void navigate(paths.editMenuItem(item.id))}>
            Edit Item
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {item.imageUrl ? (
          <ItemPicture url={item.imageUrl} sizes="(width < 34rem) 90vw, 500px" className="h-52 w-full" />
        ) : null}
        <p className="flex flex-wrap items-center gap-2">
          <span className="money mr-2 text-lg font-semibold">{kwacha(item.price)}</span>
          <TypeBadge type={item.type} />
          <Badge tone={item.isAvailable ? 'brand' : 'warning'}>
            {item.isAvailable ? 'Available' : 'Unavailable'}
          </Badge>
          {item.isArchived ? <Badge icon="archive">Archived</Badge> : null}
        </p>
        {item.description ? <p>{item.description}</p> : null}
        <Facts item={item} />
      </div>
    </Dialog>
  )
}

const described = (text: string | undefined) => (text ? ` – ${text}` : '')

const Facts = ({ item }: { item: MenuItem }) => (
  <dl className="flex flex-col divide-y divide-line border-y border-line text-sm">
    <Fact term="Proteins">
      <ul>
        {item.categories.map((protein) => (
          <li key={protein}>
            {capitalised(protein)}
            <span className="text-muted">{described(own(item.proteinDescriptions, protein))}</span>
          </li>
        ))}
      </ul>
    </Fact>
    <Fact term="Side dishes">{item.sideDishes.join(', ') || 'None'}</Fact>
    <Fact term="Offered">{`${weeksLabel(item.weekNumbers)}, ${daysLabel(item.daysOfWeek)}`}</Fact>
    <Fact term="Portions">{portionsLabel(item) ?? 'Any number'}</Fact>
    <Fact term="Order ahead">{leadLabel(item) ?? 'Not needed'}</Fact>
    <Fact term="Allergens">{item.allergens ? item.allergens.join(', ') || 'None' : 'Not stated'}</Fact>
    <Fact term="Diets">{dietsLabel(item) ?? 'Not stated'}</Fact>
  </dl>
)

const Fact = ({ term, children }: { term: string; children: ReactNode }) => (
  <div className="grid grid-cols-3 gap-3 py-2.5">
    <dt className="font-semibold text-sand-800">{term}</dt>
    <dd className="col-span-2 min-w-0 break-words">{children}</dd>
  </div>
)
