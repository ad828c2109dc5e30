//! A perceptron of two layers: 64 pixels, a hidden layer, 10 classes.
//!
//! The host allocates and launches; it computes nothing.

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

    /// Returns views of `size` images each; the last view has the remaining images.
    pub(crate) fn split(&self, size: usize) -> impl Iterator<Item = Result<Batch>> {
        (0..self.len()).step_by(size).map(move |start| {
            let range = start..self.len().min(start + size);
            Ok(Batch {
                x: self.x.narrow(0, range.clone())?,
                labels: self.labels.narrow(0, range)?,
            })
        })
    }
}

/// A trained parameter: its value, its velocity, and its gradient.
struct Parameter<const R: usize> {
    value: Tensor<f32, R>,
    velocity: Tensor<f32, R>,
    gradient: Tensor<f32, R>,
}

impl<const R: usize> Parameter<R> {
    fn new(value: Tensor<f32, R>) -> Result<Self> {
        let (device, shape) = (value.device(), value.shape());
        Ok(Parameter {
            value,
            velocity: Tensor::zeros(&device, shape)?,
            gradient: Tensor::zeros(&device, shape)?,
        })
    }

    fn descend(&mut self, rate: f32) -> Result<()> {
        let flat = [self.value.len()];
        // Views with another shape, which share the memory.
        let mut value = self.value.reshape(flat)?;
        let mut velocity = self.velocity.reshape(flat)?;
        let gradient = self.gradient.reshape(flat)?;
        kernels::descend(&mut value, &mut velocity, &gradient, rate, MOMENTUM).launch()
    }
}

struct Layer {
    weights: Parameter<2>,
    bias: Parameter<1>,
}

impl Layer {
    /// Returns a layer with random weights, whose magnitude decreases with the number of inputs.
    fn new(device: Device, inputs: u16, outputs: usize, rng: &mut Rng) -> Result<Layer> {
        let limit = (6.0 / f32::from(inputs)).sqrt();
        let inputs = usize::from(inputs);
        let weights: Vec<f32> = (0..inputs * outputs)
            .map(|_| limit * (2.0 * rng.f32() - 1.0))
            .collect();
        Ok(Layer {
            weights: Parameter::new(Tensor::from_slice(&device, &weights, [inputs, outputs])?)?,
            bias: Parameter::new(Tensor::zeros(&device, [outputs])?)?,
        })
    }

    /// Computes the gradients of the parameters from the layer's input and the gradient of its output.
    fn backward(&mut self, x: &Tensor<f32, 2>, dy: &Tensor<f32, 2>) -> Result<()> {
        kernels::weight_gradient(x, dy, &mut self.weights.gradient).launch()?;
        kernels::column_sums(dy, &mut self.bias.gradient).launch()
    }

    fn descend(&mut self, rate: f32) -> Result<()> {
        self.weights.descend(rate)?;
        self.bias.descend(rate)
    }
}

/// The perceptron with its parameters.
pub(crate) struct Model {
    device: Device,
    hidden: Layer,
    output: Layer,
}

impl Model {
    /// Returns an untrained model.
    pub(crate) fn new(device: Device, rng: &mut Rng) -> Result<Model> {
        Ok(Model {
            device,
            hidden: Layer::new(device, PIXELS as u16, HIDDEN, rng)?,
            output: Layer::new(device, HIDDEN as u16, CLASSES, rng)?,
        })
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

    /// Makes one training step. Returns the sum of the losses, as a tensor of one element.
    pub(crate) fn train(&mut self, batch: &Batch, rate: f32) -> Result<Tensor<f32, 1>> {
        let images = batch.len();
        let (hidden, logits) = self.forward(&batch.x)?;

        let mut losses = Tensor::zeros(&self.device, [images])?;
        let mut d_logits = Tensor::zeros(&self.device, [images, CLASSES])?;
        kernels::cross_entropy(&logits, &batch.labels, &mut losses, &mut d_logits).launch()?;

        self.output.backward(&hidden, &d_logits)?;
        let mut d_hidden = Tensor::zeros(&self.device, [images, HIDDEN])?;
        let weights = &self.output.weights.value;
        kernels::relu_gradient(&d_logits, weights, &hidden, &mut d_hidden).launch()?;
        self.hidden.backward(&batch.x, &d_hidden)?;

        self.output.descend(rate)?;
        self.hidden.descend(rate)?;

        let mut loss = Tensor::zeros(&self.device, [1])?;
        kernels::column_sums(&losses.reshape([images, 1])?, &mut loss).launch()?;
        Ok(loss)
    }

    /// Returns the most likely digit of each image.
    pub(crate) fn predict(&self, batch: &Batch) -> Result<Vec<i32>> {
        let (_, logits) = self.forward(&batch.x)?;
        let mut classes = Tensor::zeros(&self.device, [batch.len()])?;
        kernels::predict(&logits, &mut classes).launch()?;
        classes.to_vec()
    }
}
