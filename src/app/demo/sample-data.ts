import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { menuItemFields, type MenuItemFields } from '#contracts/catalogue'
import type { gradeNames } from '#contracts/identity'
import { uploadPicture } from '#contracts/pictures'
import { shippedFolder } from '#platform/folder'
import type { Client } from './client'

type ChildGrade = (typeof gradeNames)[number]

type Family = {
  username: string
  name: string
  email: string
  phone: string
  children: { name: string; grade: ChildGrade }[]
}

const surnames =
  'Banda Phiri Mwansa Tembo Zulu Mulenga Chanda Lungu Sakala Mumba Bwalya Kapembwa Ngoma Musonda Chilufya Daka Kunda Nyirenda Simukonda Hamoonga Siame Katongo Mubita Lubinda Chirwa Kaluba Moyo Sichone Njovu Kasonde'.split(
    ' ',
  )
const parents = [
  'Mwila',
  'Thandiwe',
  'Chola',
  'Natasha',
  'Bupe',
  'Joseph',
  'Mutinta',
  'Kelvin',
  'Luyando',
  'Grace',
]
const children = [
  'Chipo',
  'Taonga',
  'Mapalo',
  'Wezi',
  'Natasha',
  'Luse',
  'Temwani',
  'Kondwani',
  'Lweendo',
  'Emmanuel',
  'Mutale',
  'Zindaba',
]
const grades: ChildGrade[] = ['2', '7', 'K', '4', '9', '1', '6', '11', '3', '8', 'ELC', '5', '10', '12']

export const demoFamilies: Family[] = surnames.map((surname, index) => {
  const first = parents[index % parents.length]!
  const username = `${first}.${surname}`.toLowerCase()
  return {
    username,
    name: `${first} ${surname}`,
    email: `${username}@example.com`,
    phone: `+260 97 ${String(1_000_000 + index * 30_103).slice(0, 7)}`,
    children: Array.from({ length: index === 0 ? 2 : (index % 3) + 1 }, (_, place) => ({
      name: `${children[(index * 5 + place * 7) % children.length]} ${surname}`,
      grade: grades[(index * 3 + place * 5) % grades.length]!,
    })),
  }
})

const furtherParents =
  'Agness Boniface Charity Dalitso Esther Febby Gift Harriet Inonge Jairos Kabwe Loveness Mubanga Nchimunya Oscar Precious Rabecca Sibeso Tisa Webby'.split(
    ' ',
  )

/** None of the first 600 is another one, or one of `demoFamilies`. */
export const personOf = (index: number) => {
  const round = Math.floor(index / surnames.length)
  const first = furtherParents[(index * 7 + round) % furtherParents.length]!
  const surname = surnames[index % surnames.length]!
  return { name: `${first} ${surname}`, surname, username: `${first}.${surname}`.toLowerCase() }
}

export const childOf = (surname: string, seed: number) => `${children[seed % children.length]} ${surname}`

export const gradeOf = (seed: number): ChildGrade => grades[seed % grades.length]!

// name | description | price | days of the week | weeks | proteins | side dishes | allergens | diets
const primary = `
Nshima Plate | Nshima with relish and vegetables | 35.00 | 1 | 123456 | beef chicken vegetarian | Rape, Cabbage, Impwa | | halal noPork
Chicken & Rice | Grilled chicken, steamed rice and gravy | 38.50 | 2 | 123456 | chicken | Coleslaw, Green Beans | Eggs | halal noPork noBeef not-vegetarian
Spaghetti Bolognese | In a mild tomato sauce | 36.00 | 3 | 135 | beef vegetarian | Garden Salad, Garlic Bread | Wheat, Milk | halal noPork
Macaroni Cheese | Baked until golden | 32.00 | 3 | 246 | vegetarian chicken | Garden Salad, Sweetcorn | Milk, Wheat | halal noPork noBeef
Fish Fingers & Chips | Oven-baked, with lemon | 40.00 | 4 | 135 | fish | Peas, Coleslaw | Fish, Wheat, Eggs | halal noPork noBeef not-vegetarian
Beef Stew & Sweet Potato | Slow-cooked stew with roasted sweet potato | 39.00 | 4 | 246 | beef | Spinach, Carrots | | halal noPork not-noBeef not-vegetarian
Friday Burger | In a soft roll, with lettuce and tomato | 42.00 | 5 | 123456 | beef chicken vegetarian | Potato Wedges, Fruit Cup | Wheat, Milk, Eggs | noPork
Little Wrap | A soft tortilla, easy for small hands | 30.00 | 135 | 123456 | chicken vegetarian | Apple Slices, Carrot Sticks | Wheat | halal noPork noBeef
Vegetable Fried Rice | With egg, peas and carrots | 28.00 | 24 | 123456 | vegetarian chicken | Spring Roll, Fruit Cup | Eggs, Soybeans, Wheat | halal noPork noBeef
Soup & Bread | Butternut soup and a warm roll; on the house | 0.00 | 12345 | 123456 | vegetarian |  | Wheat, Milk | halal vegetarian noPork noBeef`

const secondary = `
Nshima & Village Chicken | Free-range chicken in its own gravy, the full plate | 48.00 | 1 | 123456 | chicken | Rape, Cabbage, Impwa | | halal noPork noBeef not-vegetarian
Beef Curry & Rice | Tender beef, medium hot | 52.00 | 2 | 123456 | beef | Sambals, Chapati | Wheat | halal noPork not-noBeef not-vegetarian
Pasta Alfredo | Cream sauce with mushrooms | 46.00 | 3 | 135 | chicken vegetarian | Garlic Bread, Garden Salad | Milk, Wheat, Eggs | halal noPork noBeef
Lasagne | Layered and baked | 49.50 | 3 | 246 | beef vegetarian | Garden Salad, Garlic Bread | Milk, Wheat, Eggs | halal noPork
Kariba Bream | Whole bream, fried, with tomato and onion | 58.00 | 4 | 123456 | fish | Nshima, Chips, Rape | Fish | halal noPork noBeef not-vegetarian
Peri-Peri Burger | Flame-grilled in a soft roll, hot | 55.00 | 5 | 123456 | chicken beef vegetarian | Fries, Coleslaw | Wheat, Milk, Eggs | halal noPork
Chicken Salad Bowl | Grilled chicken on greens and beans, with boiled egg | 44.00 | 135 | 123456 | chicken | Bread Roll, Sweet Potato | Eggs, Wheat, Milk | halal noPork noBeef not-vegetarian
Stir-Fry Noodles | Crisp vegetables, soy and ginger | 45.00 | 24 | 123456 | beef chicken vegetarian | Spring Roll, Green Beans | Soybeans, Wheat, Eggs | halal noPork
Toasted Sandwich | Toasted bread with melted cheese | 34.00 | 12345 | 123456 | chicken vegetarian | Chips, Garden Salad | Milk, Wheat | halal noPork noBeef
Bean Stew | Hearty beans with nshima; on the house | 0.00 | 12345 | 123456 | vegetarian |  | | halal vegetarian noPork noBeef`

const choices: Record<string, Record<string, string>> = {
  'Nshima Plate': {
    beef: 'Beef stew with tomato and onion',
    chicken: 'Village chicken in its own gravy',
    vegetarian: 'Beans in tomato gravy',
  },
  'Spaghetti Bolognese': { beef: 'Minced beef', vegetarian: 'Lentils and carrots' },
  'Macaroni Cheese': { vegetarian: 'Cheese sauce alone', chicken: 'With pieces of chicken' },
  'Friday Burger': { beef: 'Beef patty', chicken: 'Grilled chicken fillet', vegetarian: 'Bean patty' },
  'Little Wrap': { chicken: 'Strips of grilled chicken', vegetarian: 'Beans and sweetcorn' },
  'Vegetable Fried Rice': { vegetarian: 'Vegetables and egg', chicken: 'With pieces of chicken' },
  'Pasta Alfredo': { chicken: 'With grilled chicken', vegetarian: 'With more mushrooms' },
  Lasagne: { beef: 'Minced beef', vegetarian: 'Spinach and lentils' },
  'Peri-Peri Burger': {
    chicken: 'Chicken fillet in peri-peri',
    beef: 'Beef patty in peri-peri',
    vegetarian: 'Bean patty in peri-peri',
  },
  'Stir-Fry Noodles': {
    beef: 'Strips of beef',
    chicken: 'Strips of chicken',
    vegetarian: 'Soya chunks',
  },
  'Toasted Sandwich': { chicken: 'Chicken and cheese', vegetarian: 'Tomato and cheese' },
}

/** Of a primary and a secondary portion, as a file of the menu writes them; a dish of one type has no other. */
const recipes: Record<string, string> = {
  'Nshima Plate': 'Maize meal:g:120:0|Rape:g:80:0|Beans:g:60:0|Cooking oil:ml:10:0',
  'Chicken & Rice': 'Rice:g:80:0|Chicken:g:120:0|Cabbage:g:60:0|Cooking oil:ml:8:0',
  'Vegetable Fried Rice': 'Rice:g:90:0|Eggs:piece:1:0|Carrots:g:40:0|Cooking oil:ml:10:0',
  'Nshima & Village Chicken': 'Maize meal:g:0:180|Chicken:g:0:180|Rape:g:0:100|Cooking oil:ml:0:12',
  'Beef Curry & Rice': 'Rice:g:0:120|Beef:g:0:140|Tomatoes:g:0:80|Cooking oil:ml:0:12',
  'Kariba Bream': 'Bream:piece:0:1|Maize meal:g:0:150|Tomatoes:g:0:60|Cooking oil:ml:0:25',
}

/** Fresh fish is bought the day before. */
const leadDays: Record<string, number> = { 'Kariba Bream': 1 }

const ingredientsOf = (recipe = '') =>
  recipe
    .split('|')
    .filter(Boolean)
    .map((part) => {
      const [name, unit, primary, secondary] = part.split(':')
      return { name, unit, primary: Number(primary), secondary: Number(secondary) }
    })

const statedDiets = (words: readonly string[]) =>
  Object.fromEntries(
    words.map((word) => (word.startsWith('not-') ? [word.slice('not-'.length), 'no'] : [word, 'yes'])),
  )

const dishesIn = (type: 'primary' | 'secondary', table: string): MenuItemFields[] =>
  table
    .trim()
    .split('\n')
    .map((line) => {
      const [
        name,
        description,
        price,
        days = '',
        weeks = '',
        meats = '',
        sides = '',
        allergens = '',
        diets = '',
      ] = line.split('|').map((cell) => cell.trim())
      const categories = meats.split(' ')
      return menuItemFields.parse({
        name,
        description,
        price,
        type,
        daysOfWeek: [...days].map(Number),
        weekNumbers: [...weeks].map(Number),
        categories,
        proteinDescriptions: choices[name!] ?? {},
        sideDishes: sides.split(', ').filter(Boolean),
        allergens: allergens.split(', ').filter(Boolean),
        diets: statedDiets(diets.split(' ')),
        ingredients: ingredientsOf(recipes[name!]),
        leadDays: leadDays[name!] ?? 0,
      })
    })

export const demoMenu = [...dishesIn('primary', primary), ...dishesIn('secondary', secondary)]

export const pictureOf = (dish: string): string =>
  join(
    shippedFolder('demo-pictures', import.meta.url),
    `${dish.toLowerCase().replaceAll(/[^a-z]+/g, '-')}.webp`,
  )

export const uploadDishPicture = async (office: Client, dish: string): Promise<string> => {
  const form = new FormData()
  form.set('file', new Blob([await readFile(pictureOf(dish))], { type: 'image/webp' }), `${dish}.webp`)
  const answer = await office.fetch(uploadPicture.path, { method: uploadPicture.method, body: form })
  if (!answer.ok) throw new Error(`The picture of ${dish} was not taken: ${await answer.text()}`)
  return uploadPicture.reply.parse(await answer.json()).imageUrl
}
