import './logic/language'; // Before uPlot, which asks for it.

import { mount } from 'svelte';

import App from './App.svelte';
import { app } from './state/app.svelte';
import { settings } from './state/settings.svelte';
import 'uplot/dist/uPlot.min.css';
import './styles/page.css';

settings.start();
const target = document.getElementById('app');
if (target !== null) mount(App, { target });
void app.start();
