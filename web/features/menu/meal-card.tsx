import { useState } from 'react'
import type { MenuItem } from '#contracts/catalogue'
import { classes } from '../../lib/classes'
import { kwacha } from '../../lib/format'
import { Badge } from '../../ui/badge'
import { Button } from '../../ui/button'
import { Select } from '../../ui/select'

/** What a parent chose for one day. */
export type MealChoice = { item: MenuItem; category: string | null; sideDish: string | null }

type MealCardProps = {
  item: MenuItem
  sides: readonly string[]
  /** What is in the cart for this day, when it is this meal. */
  inCart: { category: string | null; sideDish: string | null } | null
  onAdd: (choice: MealChoice) => void
  onRemove: () => void
}

const choices = (names: readonly string[]) =>
  names.map((name) => ({ value: name, label: sentenceCase(name) }))
const sentenceCase = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)

/** One meal on one day: what it is, what it costs, what goes with it. Add waits until all is chosen. */
export const MealCard = ({ item, sides, inCart, onAdd, onRemove }: MealCardProps) => {
  const [chosenProtein, setProtein] = useState('')
  const [chosenSide, setSide] = useState('')
  const protein = inCart ? (inCart.category ?? '') : chosenProtein
  const side = inCart ? (inCart.sideDish ?? '') : chosenSide
  const ready = (item.categories.length === 0 || protein) && (sides.length === 0 || side)
  return (
    <article className={classes('flex flex-1 flex-col gap-3 p-4', inCart && 'bg-brand-50')}>
      <MealWords item={item} />
      {item.categories.length > 0 ? (
        <Select
          label="Protein"
          placeholder="Choose a protein"
          options={choices(item.categories)}
          hint={item.proteinDescriptions[protein]}
          value={protein}
          disabled={inCart !== null}
          onChange={(event) => setProtein(event.target.value)}
        />
      ) : null}
      {sides.length > 0 ? (
        <Select
          label="Side dish"
          placeholder="Choose a side dish"
          options={choices(sides)}
          value={side}
          disabled={inCart !== null}
          onChange={(event) => setSide(event.target.value)}
        />
      ) : null}
      <div className="mt-auto">
        {inCart ? (
          <Button variant="secondary" icon="check" className="w-full" onClick={onRemove}>
            Remove
          </Button>
        ) : (
          <Button
            icon="plus"
            className="w-full"
            disabled={!ready}
            onClick={() => onAdd({ item, category: protein || null, sideDish: side || null })}
          >
            Add
          </Button>
        )}
      </div>
    </article>
  )
}

const MealWords = ({ item }: { item: MenuItem }) => {
  const [broken, setBroken] = useState(false)
  return (
    <>
      {item.imageUrl && !broken ? (
        <img
          src={item.imageUrl}
          alt=""
          loading="lazy"
          onError={() => setBroken(true)}
          className="aspect-video w-full rounded-md bg-sand-100 object-cover"
        />
      ) : null}
      <div>
        <h4 className="font-display text-lg leading-snug font-semibold">{item.name}</h4>
        {item.description ? <p className="text-sm text-muted">{item.description}</p> : null}
      </div>
      <p className="money flex flex-wrap items-center gap-2 font-semibold">
        {item.discountPrice === undefined ? (
          kwacha(item.price)
        ) : (
          <>
            <s className="font-normal text-muted">
              <span className="sr-only">Instead of </span>
              {kwacha(item.price)}
            </s>
            <span className="text-accent-700">{kwacha(item.discountPrice)}</span>
            {item.discountPercentage ? <Badge tone="accent">{item.discountPercentage}% OFF</Badge> : null}
          </>
        )}
      </p>
    </>
  )
}
