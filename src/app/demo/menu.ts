import { menuItemFields, type MenuItemFields } from '#contracts/catalogue'

const proteins: Record<string, string> = {
  beef: 'Slow-cooked beef stew',
  chicken: 'Grilled village chicken',
  vegetarian: 'Beans in tomato gravy',
  fish: 'Pan-fried Kariba bream',
}

// A line a dish: name | description | price | days of the week | weeks | proteins | side dishes | allergens
const primary = `
Nshima Plate | Nshima with relish of the day | 35.00 | 1 | 123456 | beef chicken vegetarian | Rape, Cabbage, Impwa |
Chicken & Rice | Grilled chicken, steamed rice and gravy | 38.50 | 2 | 123456 | chicken | Coleslaw, Green Beans |
Spaghetti Bolognese | With a mild tomato sauce | 36.00 | 3 | 135 | beef vegetarian | Garden Salad, Garlic Bread | Wheat
Macaroni Cheese | Baked until golden | 32.00 | 3 | 246 | vegetarian chicken | Garden Salad, Sweetcorn | Milk, Wheat
Fish Fingers & Chips | Oven-baked, with lemon | 40.00 | 4 | 135 | fish chicken | Peas, Coleslaw | Fish, Wheat, Eggs
Beef Stew & Sweet Potato | Stew with roasted sweet potato | 39.00 | 4 | 246 | beef vegetarian | Spinach, Carrots |
Friday Burger | In a soft roll, with fries | 42.00 | 5 | 123456 | beef chicken vegetarian | Potato Wedges, Fruit Cup | Wheat, Eggs
Little Wrap | A soft tortilla, easy for small hands | 30.00 | 135 | 123456 | chicken vegetarian | Apple Slices, Carrot Sticks | Wheat
Vegetable Fried Rice | With egg, peas and carrots | 28.00 | 24 | 123456 | vegetarian chicken | Spring Roll, Fruit Cup | Eggs, Soybeans
Soup & Bread | Butternut soup and a warm roll; on the house | 0.00 | 12345 | 123456 | vegetarian |  | Wheat, Milk`

const secondary = `
Nshima & Village Chicken | The full plate, with gravy | 48.00 | 1 | 123456 | chicken beef vegetarian | Rape, Cabbage, Impwa |
Beef Curry & Rice | Cape-style curry, medium hot | 52.00 | 2 | 123456 | beef chicken vegetarian | Sambals, Naan |
Pasta Alfredo | Cream sauce with mushrooms | 46.00 | 3 | 135 | chicken vegetarian | Garlic Bread, Garden Salad | Milk, Wheat
Lasagne | Layered and baked | 49.50 | 3 | 246 | beef vegetarian | Garden Salad, Garlic Bread | Milk, Wheat, Eggs
Kariba Bream | Whole bream with tomato and onion | 58.00 | 4 | 123456 | fish | Nshima, Chips, Rape | Fish
Peri-Peri Burger | Flame-grilled, with fries | 55.00 | 5 | 123456 | chicken beef vegetarian | Fries, Coleslaw | Wheat, Eggs
Chicken Salad Bowl | Greens, beans, seeds and dressing | 44.00 | 135 | 123456 | chicken vegetarian fish | Bread Roll, Sweet Potato | Eggs
Stir-Fry Noodles | Crisp vegetables, soy and ginger | 45.00 | 24 | 123456 | beef chicken vegetarian | Spring Roll, Edamame | Soybeans, Wheat
Toasted Sandwich | Cheese and a filling, with chips | 34.00 | 12345 | 123456 | chicken vegetarian | Chips, Garden Salad | Milk, Wheat
Bean Stew | Hearty beans with nshima; on the house | 0.00 | 12345 | 123456 | vegetarian |  |`

const dishesIn = (type: 'primary' | 'secondary', table: string): MenuItemFields[] =>
  table
    .trim()
    .split('\n')
    .map((line) => {
      const [name, description, price, days = '', weeks = '', meats = '', sides = '', allergens = ''] = line
        .split('|')
        .map((cell) => cell.trim())
      const categories = meats.split(' ')
      return menuItemFields.parse({
        name,
        description,
        price,
        type,
        daysOfWeek: [...days].map(Number),
        weekNumbers: [...weeks].map(Number),
        categories,
        proteinDescriptions: Object.fromEntries(categories.map((meat) => [meat, proteins[meat]])),
        sideDishes: sides.split(', ').filter(Boolean),
        allergens: allergens.split(', ').filter(Boolean),
      })
    })

/** Twenty dishes of a Zambian school kitchen over both menus; odd and even weeks differ a little. */
export const demoMenu = [...dishesIn('primary', primary), ...dishesIn('secondary', secondary)]
