export { type Cost, costOf, type PricedRequest } from './cost.ts';
export { type ModelPrice, type OwnPrices, PRICE_DATE, PRICE_SOURCE, type Prices, readOwnPrices } from './price.ts';
