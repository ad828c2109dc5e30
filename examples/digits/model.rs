//! A perceptron of two layers: 64 pixels, a hidden layer, 10 classes.
//!
//! The host allocates and launches; it computes nothing.

use std::ops::Range;

use fastrand::Rng;
use tile_kernel::{Device, Result, Tensor};

use super::data::{CLASSES, Images, PIXELS};
use super::kernels;

/// Neurons of the hidden layer.
const HIDDEN: usize = 128;
/// The fraction of its velocity that a parameter keeps at each step.
const MOMENTUM: f32 = 0.9;

/// Images on the device.
pub(crate) struct Batch {
    /// One image per row, pixels from 0 to 1.
    x: Tensor<f32, 2>,
    labels: Tensor<i32, 1>,
}

impl Batch {
    /// Uploads all images.
    pub(crate) fn new(device: Device, images: &Images) -> Result<Batch> {
        let shape = [images.len(), PIXELS];
        let levels = Tensor::from_slice(&device, &images.levels, shape)?;
        let mut x = Tensor::zeros(&device, shape)?;
        kernels::normalize(&levels, &mut x).launch()?;
        let labels = Tensor::from_slice(&device, &images.labels, [images.len()])?;
        Ok(Batch { x, labels })
    }

    /// Returns the number of images.
    pub(crate) fn len(&self) -> usize {
        self.labels.len()
    }

    /// Returns a view of some of the images.
    pub(crate) fn narrow(&self, images: Range<usize>) -> Result<Batch> {
        Ok(Batch {
            x: self.x.narrow(0, images.clone())?,
            labels: self.labels.narrow(0, images)?,
        })
    }
}

/// The parameters of all layers, one after the other, each as one vector.
struct Vectors {
    value: Tensor<f32, 1>,
    velocity: Tensor<f32, 1>,
    /// The gradient of the images of this device.
    gradient: Tensor<f32, 1>,
    /// The gradient of the images of all devices.
    sum: Tensor<f32, 1>,
}

impl Vectors {
    fn new(device: Device, value: &[f32]) -> Result<Vectors> {
        let zeros = || Tensor::zeros(&device, [value.len()]);
        Ok(Vectors {
            value: Tensor::from_slice(&device, value, [value.len()])?,
            velocity: zeros()?,
            gradient: zeros()?,
            sum: zeros()?,
        })
    }

    fn descend(&mut self, rate: f32) -> Result<()> {
        let Vectors {
            value,
            velocity,
            gradient: _,
            sum,
        } = self;
        kernels::descend(value, velocity, sum, rate, MOMENTUM).launch()
    }
}

/// A parameter: views of its place in the vectors.
struct Parameter<const R: usize> {
    value: Tensor<f32, R>,
    gradient: Tensor<f32, R>,
}

impl<const R: usize> Parameter<R> {
    fn new(vectors: &Vectors, start: usize, shape: [usize; R]) -> Result<Parameter<R>> {
        let place = start..start + shape.iter().product::<usize>();
        let view = |vector: &Tensor<f32, 1>| vector.narrow(0, place.clone())?.reshape(shape);
        Ok(Parameter {
            value: view(&vectors.value)?,
            gradient: view(&vectors.gradient)?,
        })
    }
}

struct Layer {
    weights: Parameter<2>,
    bias: Parameter<1>,
}

impl Layer {
    /// Appends random weights, whose magnitude decreases with the number of inputs, and a bias of zeros.
    fn initialize(parameters: &mut Vec<f32>, inputs: u16, outputs: usize, rng: &mut Rng) {
        let limit = (6.0 / f32::from(inputs)).sqrt();
        let weights = (0..usize::from(inputs) * outputs).map(|_| limit * (2.0 * rng.f32() - 1.0));
        parameters.extend(weights);
        parameters.resize(parameters.len() + outputs, 0.0);
    }

    fn new(vectors: &Vectors, start: usize, inputs: usize, outputs: usize) -> Result<Layer> {
        Ok(Layer {
            weights: Parameter::new(vectors, start, [inputs, outputs])?,
            bias: Parameter::new(vectors, start + inputs * outputs, [outputs])?,
        })
    }

    /// Computes the gradients of the parameters from the layer's input and the gradient of its output.
    fn backward(&mut self, x: &Tensor<f32, 2>, dy: &Tensor<f32, 2>) -> Result<()> {
        kernels::weight_gradient(x, dy, &mut self.weights.gradient).launch()?;
        kernels::column_sums(dy, &mut self.bias.gradient).launch()
    }
}

/// The perceptron with its parameters.
pub(crate) struct Model {
    device: Device,
    vectors: Vectors,
    hidden: Layer,
    output: Layer,
}

impl Model {
    /// Returns an untrained model.
    pub(crate) fn new(device: Device, rng: &mut Rng) -> Result<Model> {
        let mut parameters = Vec::new();
        Layer::initialize(&mut parameters, PIXELS as u16, HIDDEN, rng);
        let output = parameters.len();
        Layer::initialize(&mut parameters, HIDDEN as u16, CLASSES, rng);
        let vectors = Vectors::new(device, &parameters)?;
        Ok(Model {
            device,
            hidden: Layer::new(&vectors, 0, PIXELS, HIDDEN)?,
            output: Layer::new(&vectors, output, HIDDEN, CLASSES)?,
            vectors,
        })
    }

    /// Returns views of the gradient of this device, and of the sum of the gradients of all devices.
    pub(crate) fn gradients(&self) -> Result<[Tensor<f32, 1>; 2]> {
        let Vectors { gradient, sum, .. } = &self.vectors;
        Ok([gradient.narrow(0, ..)?, sum.narrow(0, ..)?])
    }

    /// Returns all parameters.
    pub(crate) fn parameters(&self) -> Result<Vec<f32>> {
        self.vectors.value.to_vec()
    }

    /// Returns the output of the hidden layer, and the logits.
    fn forward(&self, x: &Tensor<f32, 2>) -> Result<(Tensor<f32, 2>, Tensor<f32, 2>)> {
        let [images, _] = x.shape();
        let mut hidden = Tensor::zeros(&self.device, [images, HIDDEN])?;
        let Layer { weights, bias } = &self.hidden;
        kernels::dense::<32, true>(x, &weights.value, &bias.value, &mut hidden).launch()?;
        let mut logits = Tensor::zeros(&self.device, [images, CLASSES])?;
        let Layer { weights, bias } = &self.output;
        kernels::dense::<16, false>(&hidden, &weights.value, &bias.value, &mut logits).launch()?;
        Ok((hidden, logits))
    }

    /// Computes the gradient of the mean loss of `images` images, of which the batch is this device's share. Returns the
    /// sum of its losses, as a tensor of one element.
    pub(crate) fn backward(&mut self, batch: &Batch, images: usize) -> Result<Tensor<f32, 1>> {
        let share = batch.len();
        let (hidden, logits) = self.forward(&batch.x)?;

        let mut losses = Tensor::zeros(&self.device, [share])?;
        let mut d_logits = Tensor::zeros(&self.device, [share, CLASSES])?;
        let labels = &batch.labels;
        kernels::cross_entropy(&logits, labels, images as i32, &mut losses, &mut d_logits)
            .launch()?;

        self.output.backward(&hidden, &d_logits)?;
        let mut d_hidden = Tensor::zeros(&self.device, [share, HIDDEN])?;
        let weights = &self.output.weights.value;
        kernels::relu_gradient(&d_logits, weights, &hidden, &mut d_hidden).launch()?;
        self.hidden.backward(&batch.x, &d_hidden)?;

        let mut loss = Tensor::zeros(&self.device, [1])?;
        kernels::column_sums(&losses.reshape([share, 1])?, &mut loss).launch()?;
        Ok(loss)
    }

    /// Makes a step of gradient descent, by the sum of the gradients of all devices.
    pub(crate) fn descend(&mut self, rate: f32) -> Result<()> {
        self.vectors.descend(rate)
    }

    /// Returns the most likely digit of each image.
    pub(crate) fn predict(&self, batch: &Batch) -> Result<Vec<i32>> {
        let (_, logits) = self.forward(&batch.x)?;
        let mut classes = Tensor::zeros(&self.device, [batch.len()])?;
        kernels::predict(&logits, &mut classes).launch()?;
        classes.to_vec()
    }
}
