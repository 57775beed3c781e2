import type { Ngwee } from '#kernel/money'

/** What an administrator says about a meal. Lists hold each entry once; proteins are lowercase. */
export type Meal = {
  name: string
  description: string | null
  /** Before any discount. */
  price: Ngwee
  imageUrl: string | null
  type: 'primary' | 'secondary'
  categories: string[]
  /** Texts for some of the categories. */
  proteinDescriptions: Record<string, string>
  /** Weeks 1–6 and days 1 (Monday) to 5 on which it is offered. */
  weekNumbers: number[]
  daysOfWeek: number[]
  allergens: string[]
  sideDishes: string[]
  isAvailable: boolean
}

export type MenuItem = Meal & { id: number; isArchived: boolean }
